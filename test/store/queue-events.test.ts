import type { QueueEvent } from '@sluice/protocol/transactions/events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clearTransactions } from '../../src/store/history/clear.ts';
import type { Database } from '../../src/store/sql.ts';
import { NEW_CURSOR, readCursors } from '../../src/store/transactions/cursors.ts';
import {
  countQueueEvents,
  type QueueEventFilter,
  type QueueEventScope,
  readQueueEvents,
} from '../../src/store/transactions/read-queue-events.ts';
import type { EventfulTransaction } from '../../src/store/transactions/write-events.ts';
import { writePage } from '../../src/store/transactions/write-page.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { named } from '../support/history/samples.ts';

const ALL = { order: 'oldestFirst', limit: null } as const;

function event(signature: string, slot: bigint, changes: Partial<QueueEvent>): QueueEvent {
  return {
    signature,
    slot,
    time: 1_780_000_000 + Number(slot),
    index: 0,
    kind: 'withdraw',
    ticket: named('ticket'),
    reserve: named('reserve'),
    market: named('market'),
    wallet: named('owner'),
    signer: named('payer'),
    collateral: 0n,
    liquidity: null,
    obligation: null,
    vault: null,
    ...changes,
  };
}

const enqueued = event('enqueued', 10n, {
  kind: 'enqueue',
  collateral: 10n,
  vault: named('vault'),
  obligation: named('obligation'),
});
const paid = event('paid', 20n, { collateral: 7n, liquidity: 8n });
const cancelled = event('cancelled', 30n, { kind: 'cancel', collateral: 3n });

const transactionOf = (queueEvent: QueueEvent): EventfulTransaction => ({
  signature: queueEvent.signature,
  slot: queueEvent.slot,
  vaultEvents: [],
  lendingEvents: [],
  farmEvents: [],
  allocationEvents: [],
  queueEvents: [queueEvent],
  problems: [],
});

async function write(db: Database, ...events: readonly QueueEvent[]): Promise<void> {
  const address = named('owner');
  const from = (await readCursors(db, [address])).get(address) ?? NEW_CURSOR;
  const outcome = await writePage(db, {
    address,
    fence: null,
    from,
    to: from,
    final: events.map(transactionOf),
    tail: null,
    missing: [],
    found: [],
    orders: new Map(),
  });
  expect(outcome).toEqual({ kind: 'written' });
}

describe.each(databases())('events of withdraw queues on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());
  beforeEach(() => clearTransactions(history.db));

  const read = (scope: QueueEventScope, filter: QueueEventFilter = {}) =>
    readQueueEvents(history.db, scope, filter, ALL);

  it('come back as they were written, in the order of the chain, once', async () => {
    await write(history.db, cancelled, enqueued);
    await write(history.db, enqueued);
    const stored = { place: 0, final: true };
    expect(await read({ wallet: named('owner') })).toEqual([
      { ...enqueued, ...stored },
      { ...cancelled, ...stored, vault: named('vault'), obligation: named('obligation') },
    ]);
    expect(await countQueueEvents(history.db, { wallet: named('owner') }, {})).toBe(2);
  });

  it.each([
    ['first', [enqueued, paid]],
    ['last', [paid, enqueued]],
  ] as const)('have the origin of their ticket when its entry is read %s', async (_, order) => {
    for (const each of order) await write(history.db, each);
    const found = await read({ vault: named('vault') });
    expect(found.map((each) => [each.kind, each.obligation])).toEqual([
      ['enqueue', named('obligation')],
      ['withdraw', named('obligation')],
    ]);
  });

  it('are found by reserve, market and kind, and only there', async () => {
    await write(history.db, enqueued, paid, event('elsewhere', 40n, { market: named('other market') }));
    const kinds = ['withdraw'] as const;
    const names = (events: readonly QueueEvent[]) => events.map(({ signature }) => signature);
    expect(names(await read({ market: named('market') }, { kinds }))).toEqual(['paid']);
    expect(names(await read({ reserve: named('reserve') }))).toEqual(['enqueued', 'paid', 'elsewhere']);
    expect(names(await read({ wallet: named('owner'), market: named('other market') }))).toEqual([
      'elsewhere',
    ]);
    expect(await read({ vault: named('owner') })).toEqual([]);
  });

  it('tell which tickets still hold collateral tokens', async () => {
    const open = () => read({ vault: named('vault') }, { isOpen: true });
    await write(history.db, enqueued, paid);
    expect((await open()).map(({ signature }) => signature)).toEqual(['enqueued']);
    await write(history.db, cancelled);
    expect(await open()).toEqual([]);
  });
});
