import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { activeDeposits } from '../../src/domain/obligation.ts';
import { type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';
import {
  writeFarmEvents,
  writeLendingEvents,
  writeQueueEvents,
  writeVaultEvents,
} from '../support/history/lending-events.ts';
import { eventsOf } from '../support/ingest/world-events.ts';
import { replayMoments } from '../support/localnet/past-moments.ts';

const MOMENTS = 24;
const YEAR_MS = 365 * 86_400_000;
/** Everything that changes a position. */
const KINDS = [
  ...['VAULT_DEPOSIT', 'VAULT_WITHDRAWAL', 'SHARES_RECEIVED', 'SHARES_SENT'],
  ...['COLLATERAL_DEPOSIT', 'COLLATERAL_WITHDRAWAL', 'LIQUIDATION'],
];

interface Line {
  readonly slot: string;
  readonly vault?: string;
  readonly sharesChange?: string;
  readonly obligation?: string;
  readonly reserve?: string;
  readonly collateralChange?: string;
}

/** Balances by position. */
type Balances = ReadonlyMap<string, bigint>;

let world: LendingWorld;
const lines: Line[] = [];
/** The shares of vaults and the deposits of obligations in the model, at random moments, oldest first. */
const truths: { readonly slot: bigint; readonly shares: Balances; readonly deposits: Balances }[] = [];

beforeAll(async () => {
  world = await startLendingWorld();
  const { db } = world.history;
  const events = eventsOf(world.localChain.worldChain);
  await writeVaultEvents(db, events.vaultEvents);
  await writeLendingEvents(db, events.lendingEvents);
  await writeFarmEvents(db, events.farmEvents);
  await writeQueueEvents(db, events.queueEvents);
  const wallets = new Set<Address>(events.vaultEvents.map(({ wallet }) => wallet));
  for (const { owner } of events.lendingEvents) if (owner !== null) wallets.add(owner);
  await world.read([...wallets, ...new Set(events.lendingEvents.map(({ obligation }) => obligation))]);
  for (const wallet of wallets) {
    const answer = await world.fetch(`/portfolio/${wallet}/activity.jsonl?kinds=${KINDS.join(',')}`);
    const text = await answer.text();
    for (const line of text.trimEnd().split('\n')) if (line !== '') lines.push(JSON.parse(line) as Line);
  }
  const presentMs = world.localChain.worldChain.bootedAt;
  const moments = Array.from({ length: MOMENTS }, () => presentMs - Math.floor(Math.random() * YEAR_MS));
  replayMoments(
    presentMs,
    moments.sort((a, b) => a - b),
    (moment) => {
      const deposits = new Map<string, bigint>();
      for (const { address, owner, data } of moment.obligations()) {
        const account = obligationLayout.decode({ owner, data: data.slice() }, MAINNET_PROGRAMS.klend);
        for (const { depositReserve, depositedAmount } of activeDeposits(account))
          deposits.set(`${address} ${depositReserve}`, depositedAmount);
      }
      const vaults = [...moment.view.all('vault').values()];
      const shares = new Map(vaults.map(({ address, value }) => [address as string, value.sharesIssued]));
      truths.push({ slot: moment.slot, shares: nonZero(shares), deposits: nonZero(deposits) });
    },
  );
}, 1_500_000);
afterAll(() => world?.stop());

const nonZero = (balances: Balances): Balances =>
  new Map([...balances].filter(([, amount]) => amount !== 0n));

function added(sums: Map<string, bigint>, key: string, change: string | undefined): void {
  sums.set(key, (sums.get(key) ?? 0n) + BigInt(change ?? 0));
}

/** The balances after the activity of all wallets between two slots, the second one included. */
function after(
  before: { readonly shares: Balances; readonly deposits: Balances },
  from: bigint,
  until: bigint,
) {
  const [shares, deposits] = [new Map(before.shares), new Map(before.deposits)];
  for (const { slot, vault, sharesChange, obligation, reserve, collateralChange } of lines) {
    if (BigInt(slot) <= from || BigInt(slot) > until) continue;
    if (sharesChange !== undefined && vault !== undefined) added(shares, vault, sharesChange);
    if (obligation !== undefined) added(deposits, `${obligation} ${reserve}`, collateralChange);
  }
  return { shares: nonZero(shares), deposits: nonZero(deposits) };
}

it('opening balances and activity are the closing balances, to the base unit, between any two moments', () => {
  let opening: { slot: bigint; shares: Balances; deposits: Balances } = {
    slot: -1n,
    shares: new Map(),
    deposits: new Map(),
  };
  let positions = 0;
  for (const closing of truths) {
    const { shares, deposits } = after(opening, opening.slot, closing.slot);
    expect(sorted(deposits)).toEqual(sorted(closing.deposits));
    expect(sorted(shares)).toEqual(sorted(closing.shares));
    positions += closing.shares.size + closing.deposits.size;
    opening = closing;
  }
  expect(truths).toHaveLength(MOMENTS);
  expect(positions).toBeGreaterThan(1_000);
});

const sorted = (balances: Balances) => [...balances].sort(([a], [b]) => (a < b ? -1 : 1));
