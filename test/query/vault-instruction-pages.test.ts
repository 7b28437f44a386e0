import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type VaultInstructionQuery,
  vaultInstructions,
} from '../../src/services/history/vault-positions/vault-instructions.ts';
import type { KnownPart } from '../../src/services/platform/transaction-source.ts';
import { DAY, type PositionWorld, startPositionWorld } from '../support/apps/position-history-app.ts';

const COUNT = 2_050;
const ALL_READ: KnownPart = { reachedStart: true, backToSlot: null };
const NEWEST_FIRST: VaultInstructionQuery = { kind: undefined, range: {}, direction: 'desc' };

let world: PositionWorld;
/** State of the ingestion. */
let known = ALL_READ;
/** Requests of the service to it. */
const enough: (boolean | undefined)[] = [];

beforeAll(async () => {
  world = await startPositionWorld(() => ({
    async ensure(_address, _kind, request) {
      enough.push(await request.enough?.(known));
      return { complete: known.reachedStart, unread: false, failure: null };
    },
  }));
  // Every tenth is an investment, and beside them are changes that are no instructions of the vault program.
  await world.happened([
    { kind: 'transferIn', at: world.ago(9 * DAY), tokens: null, shares: 1 },
    { kind: 'stake', at: world.ago(9 * DAY), tokens: null, shares: 1 },
    ...Array.from({ length: COUNT }, (_, i) => ({
      kind: i % 10 === 0 ? ('invest' as const) : ('deposit' as const),
      at: world.ago(8 * DAY - i),
      tokens: 1 + i,
      shares: i % 10 === 0 ? 0 : 1,
    })),
  ]);
});
afterAll(() => world?.stop());

async function page(query: VaultInstructionQuery, token?: string) {
  const session = await world.platform.openSession({ signal: AbortSignal.timeout(60_000) });
  return await vaultInstructions(world.platform, session, world.vault, query, token);
}

/** The amounts of all pages, which tell the transactions apart. */
async function walk(query: VaultInstructionQuery): Promise<number[][]> {
  const pages: number[][] = [];
  for (let token: string | undefined; ; ) {
    const { transactions, next } = await page(query, token);
    pages.push(transactions.map(({ tokens }) => tokens.amount.toNumber()));
    if (next === null) return pages;
    token = next;
  }
}

const NUMBERS = Array.from({ length: COUNT }, (_, i) => i + 1);

describe('transactions of a vault', () => {
  it('come in pages of a thousand, each once, in either direction', async () => {
    const falling = await walk(NEWEST_FIRST);
    expect(falling.map(({ length }) => length)).toEqual([1_000, 1_000, 50]);
    expect(falling.flat()).toEqual(NUMBERS.toReversed());
    const rising = await walk({ ...NEWEST_FIRST, direction: 'asc' });
    expect(rising.flat()).toEqual(NUMBERS);
  });

  it('are filtered by instruction and time', async () => {
    const invested = await walk({ ...NEWEST_FIRST, kind: 'INVEST' });
    expect(invested.flat()).toEqual(NUMBERS.filter((each) => each % 10 === 1).reverse());
    const range = { start: world.ago(8 * DAY - 5), end: world.ago(8 * DAY - 8) };
    expect((await walk({ ...NEWEST_FIRST, range })).flat()).toEqual([8, 7, 6]);
  });

  it('are answered as soon as some are read, and go on where the first page ended', async () => {
    const whole = await page(NEWEST_FIRST);
    const slotOf = (index: number) => whole.transactions[index]?.event.slot ?? 0n;
    enough.length = 0;
    known = { reachedStart: false, backToSlot: slotOf(150) };
    const first = await page(NEWEST_FIRST);
    expect([first.transactions.length, enough]).toEqual([150, [true]]);
    known = { reachedStart: false, backToSlot: slotOf(190) };
    const second = await page(NEWEST_FIRST, first.next ?? undefined);
    expect([second.transactions.length, enough]).toEqual([40, [true, false]]);
    known = ALL_READ;
    const third = await page(NEWEST_FIRST, second.next ?? undefined);
    const seen = [first, second, third].flatMap(({ transactions }) => transactions);
    expect(seen.map(({ tokens }) => tokens.amount.toNumber())).toEqual(NUMBERS.toReversed().slice(0, 1_190));
  });

  it.each<[string, Partial<VaultInstructionQuery>]>([
    ['direction', { direction: 'asc' }],
    ['instruction', { kind: 'DEPOSIT' }],
    ['time', { range: { start: new Date(0) } }],
  ])('reject a token of a query with another %s', async (_, change) => {
    const { next } = await page(NEWEST_FIRST);
    await expect(page({ ...NEWEST_FIRST, ...change }, next ?? '')).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });
});
