import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import {
  addRange,
  gapsIn,
  joinRanges,
  readCoverage,
  type SlotRange,
  summaryOf,
} from '../../src/store/transactions/slot-ranges.ts';
import { writeBlocks } from '../../src/store/transactions/write-blocks.ts';
import type { EventfulTransaction } from '../../src/store/transactions/write-events.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { deposit, range } from '../support/ingest/streamed-deposits.ts';

const SCOPE = 'programs';
describe('gaps', () => {
  it('lie between ranges', () => {
    expect(gapsIn([range(1, 4), range(7, 9), range(11, 11)])).toEqual([range(5, 6), range(10, 10)]);
    expect(gapsIn([range(1, 4)])).toEqual([]);
  });

  it('are counted in slots', () => {
    expect(summaryOf({ ranges: [range(1, 4), range(7, 9), range(11, 20)] })).toEqual({
      from: 1n,
      to: 20n,
      gaps: 2,
      missingSlots: 3n,
    });
    expect(summaryOf({ ranges: [] })).toBeNull();
  });

  it('remain when neighbours are joined', () => {
    expect(joinRanges([range(1, 2), range(3, 3), range(5, 6), range(5, 5)])).toEqual([
      range(1, 3),
      range(5, 6),
    ]);
  });
});

describe.each(postgres())('stored slots on $name', (kind) => {
  let history: HistoryDatabase;
  let fence: bigint;
  beforeAll(async () => {
    history = await openHistory(kind);
    fence = history.fence;
  });
  afterAll(() => history.drop());
  beforeEach(async () => {
    await history.db.run('DELETE FROM ingest_slots');
    await history.db.run('DELETE FROM vault_event');
  });

  const stored = async () => (await readCoverage(history.db, SCOPE)).ranges;
  const write = (transactions: readonly EventfulTransaction[], covered: readonly SlotRange[]) =>
    writeBlocks(history.db, { fence, scope: SCOPE, transactions, covered, orders: new Map() });

  it('grow at their end, and join ranges that they reach', async () => {
    for (const each of [range(10, 12), range(13, 15), range(30, 40), range(20, 21)]) {
      await addRange(history.db, SCOPE, each);
    }
    expect(await stored()).toEqual([range(10, 15), range(20, 21), range(30, 40)]);
    await addRange(history.db, SCOPE, range(16, 29));
    expect(await stored()).toEqual([range(10, 40)]);
    await addRange(history.db, SCOPE, range(12, 14));
    expect(await stored()).toEqual([range(10, 40)]);
    await addRange(history.db, SCOPE, range(5, 9));
    expect(await stored()).toEqual([range(5, 40)]);
  });

  it('are separate for each scope', async () => {
    await addRange(history.db, SCOPE, range(1, 2));
    await addRange(history.db, 'other', range(3, 4));
    expect(await stored()).toEqual([range(1, 2)]);
  });

  it('are written with their transactions or not at all', async () => {
    expect(await write([deposit('first', 5n)], [range(1, 5)])).toEqual({ kind: 'written' });
    // The database refuses the event: its amount is not a number.
    const [event] = deposit('second', 6n).vaultEvents;
    const broken = { ...deposit('second', 6n), vaultEvents: [{ ...event, tokens: 'x' }] };
    await expect(write([broken as never], [range(6, 6)])).rejects.toThrow();
    expect(await stored()).toEqual([range(1, 5)]);
    expect(await history.db.rows('SELECT signature FROM vault_event')).toEqual([{ signature: 'first' }]);
  });

  it('are refused from a former leader', async () => {
    await write([], [range(1, 5)]);
    const former = fence;
    fence = await takeFence(history.db, 'the next one');
    const late = writeBlocks(history.db, {
      fence: former,
      scope: SCOPE,
      transactions: [deposit('late', 6n)],
      covered: [range(6, 6)],
      orders: new Map(),
    });
    await expect(late).rejects.toMatchObject({ code: 'NOT_LEADER' });
    expect(await stored()).toEqual([range(1, 5)]);
    expect(await history.db.rows('SELECT signature FROM vault_event')).toEqual([]);
  });

  it('have each event once, in the order of the block that came with it', async () => {
    const block = [deposit('b', 5n, 7), deposit('a', 5n, 3)];
    await write(block, [range(5, 5)]);
    await write(block, [range(5, 5)]);
    expect(await history.db.rows('SELECT signature, place FROM vault_event ORDER BY place')).toEqual([
      { signature: 'a', place: 3 },
      { signature: 'b', place: 7 },
    ]);
  });

  it('ask for the order of a slot in which another transaction is stored without its place', async () => {
    await write([deposit('listed', 5n)], []);
    expect(await write([deposit('streamed', 5n, 3)], [range(5, 5)])).toEqual({
      kind: 'orderNeeded',
      slots: [5n],
    });
    expect(await stored()).toEqual([]);
    const orders = new Map([[5n, { signatures: ['x', 'listed', 'y', 'streamed'], exact: true }]]);
    const transactions = [deposit('streamed', 5n, 3)];
    const covered = [range(5, 5)];
    expect(await writeBlocks(history.db, { fence, scope: SCOPE, transactions, covered, orders })).toEqual({
      kind: 'written',
    });
    expect(await history.db.rows('SELECT signature, place FROM vault_event ORDER BY place')).toEqual([
      { signature: 'listed', place: 1 },
      { signature: 'streamed', place: 3 },
    ]);
  });
});
