import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListOptions } from '../../src/chain/transactions/transactions.ts';
import type { IngestSource } from '../../src/ingest/source.ts';
import { GapFiller } from '../../src/ingest/stream/gap-filler.ts';
import { addRange, readCoverage, scopeOf } from '../../src/store/transactions/slot-ranges.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { deposit, range } from '../support/ingest/streamed-deposits.ts';

const SCOPE = scopeOf(MAINNET_PROGRAMS);
const { signal } = new AbortController();
const NEWEST = 5_000;

describe.each(postgres())('gaps of a stream on $name', (kind) => {
  let history: HistoryDatabase;
  let firstAvailable: bigint;
  let finalizedSlot: bigint;
  let nowMs = 0;
  const withheld = new Set<string>();
  let calls = 0;

  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());
  beforeEach(async () => {
    await history.db.run('DELETE FROM ingest_slots');
    await history.db.run('DELETE FROM vault_event');
    withheld.clear();
    calls = 0;
    firstAvailable = 0n;
    finalizedSlot = BigInt(NEWEST);
  });

  /** The vault program has a deposit in each slot, every tenth of which failed. The other lists are empty. */
  const listed = Array.from({ length: NEWEST }, (_, i) => {
    const slot = BigInt(NEWEST - i);
    return { signature: `deposit ${slot}`, slot, failed: slot % 10n === 0n };
  });

  function fillerOver(): GapFiller {
    const transactions = {
      async signaturesOf(address: Address, { before, limit }: ListOptions) {
        calls += 1;
        if (address !== MAINNET_PROGRAMS.kvault) return [];
        const start =
          before === undefined ? 0 : listed.findIndex(({ signature }) => signature === before) + 1;
        return listed.slice(start, start + limit);
      },
      readTransactions: async (signatures: readonly string[]) =>
        signatures.map((signature) =>
          withheld.has(signature)
            ? { signature, absent: 'noOutcome' }
            : { signature, transaction: { signature, slot: BigInt(signature.split(' ')[1] ?? 0) } },
        ),
      finalizedSlot: async () => finalizedSlot,
      firstAvailableSlot: async () => firstAvailable,
      blockSignatures: async () => null,
    };
    const source = {
      db: history.db,
      transactions,
      cached: () => undefined,
      decode: async (read: readonly { signature: string; slot: bigint }[]) =>
        read.map(({ signature, slot }) => deposit(signature, slot)),
      turn: async () => undefined,
      concurrency: 1,
      wholeChain: false,
    };
    const clock = { now: () => nowMs, sleep: async () => undefined };
    return new GapFiller({ source: source as unknown as IngestSource, programs: MAINNET_PROGRAMS, clock });
  }

  const know = async (...ranges: [number, number][]) => {
    for (const [from, to] of ranges) await addRange(history.db, SCOPE, range(from, to));
  };
  const fill = (filler: GapFiller) => filler.fill({ fence: history.fence, mints: [], signal });
  const stored = async () => (await readCoverage(history.db, SCOPE)).ranges;
  const slots = async () =>
    (await history.db.rows('SELECT slot::integer AS slot FROM vault_event ORDER BY slot')).map(
      ({ slot }) => slot,
    );
  const between = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((slot) => slot % 10 !== 0);

  it('are filled from lists of several pages, and close', async () => {
    await know([1, 1_000], [2_500, 2_600], [2_605, 5_000]);
    await fill(fillerOver());
    expect(await stored()).toEqual([range(1, 5_000)]);
    expect(await slots()).toEqual([...between(1_001, 2_499), ...between(2_601, 2_604)]);
  });

  it('remain where no endpoint returns a listed transaction, until one does', async () => {
    await know([1, 100], [131, 5_000]);
    withheld.add('deposit 104').add('deposit 105').add('deposit 129');
    const filler = fillerOver();
    await fill(filler);
    expect(await stored()).toEqual([range(1, 103), range(106, 128), range(130, 5_000)]);
    withheld.clear();
    await fill(fillerOver());
    expect(await stored()).toEqual([range(1, 5_000)]);
    expect(await slots()).toEqual(between(101, 130));
  });

  it('are not asked for again at once', async () => {
    await know([1, 100], [105, 5_000]);
    withheld.add('deposit 102');
    const filler = fillerOver();
    await fill(filler);
    // The slot that remains is another gap, which is tried once more.
    await fill(filler);
    const before = calls;
    await fill(filler);
    expect(calls).toBe(before);
    nowMs += 60_000;
    withheld.clear();
    await fill(filler);
    expect(await stored()).toEqual([range(1, 5_000)]);
  });

  it('are filled as far back as the node has blocks', async () => {
    await know([1, 100], [200, 5_000]);
    firstAvailable = 150n;
    await fill(fillerOver());
    expect(await stored()).toEqual([range(1, 100), range(150, 5_000)]);
    expect(await slots()).toEqual(between(150, 199));
  });

  it.each([
    ['older than about a day', 300_000n],
    ['not final for the RPC', 150n],
  ])('remain when they are %s', async (_, finalized) => {
    await know([1, 100], [200, 5_000]);
    finalizedSlot = finalized;
    await fill(fillerOver());
    expect(await stored()).toEqual([range(1, 100), range(200, 5_000)]);
    expect(calls).toBe(0);
  });

  it('are not filled by a former leader', async () => {
    await know([1, 100], [200, 5_000]);
    const filling = fillerOver().fill({ fence: history.fence - 1n, mints: [], signal });
    await expect(filling).rejects.toMatchObject({ code: 'NOT_LEADER' });
    expect(await stored()).toEqual([range(1, 100), range(200, 5_000)]);
    expect(await slots()).toEqual([]);
  });
});
