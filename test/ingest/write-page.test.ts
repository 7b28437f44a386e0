import type { CausedVaultEvent } from '@sluice/protocol/transactions/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/store/sql.ts';
import { NEW_CURSOR } from '../../src/store/transactions/cursors.ts';
import { type PageOutcome, type PageWrite, writePage } from '../../src/store/transactions/write-page.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { named } from '../support/history/samples.ts';

const SLOT = 1_000n;

function depositOf(signature: string, vault: string): CausedVaultEvent {
  return {
    signature,
    slot: SLOT,
    time: 1_780_000_000,
    index: 0,
    kind: 'deposit',
    vault: named(vault),
    wallet: named('wallet'),
    tokens: 5n,
    shares: 4n,
    reserve: null,
    reserveTokens: 0n,
    counterparty: null,
    instruction: 'deposit',
  };
}

/** The first page of a vault: one deposit in the slot that all pages here share. */
function pageOf(signature: string, vault: string): PageWrite {
  const transaction = { signature, slot: SLOT };
  return {
    address: named(vault),
    fence: null,
    from: NEW_CURSOR,
    to: { ...NEW_CURSOR, known: { newest: transaction, oldest: transaction }, transactions: 1 },
    final: [
      {
        ...transaction,
        vaultEvents: [depositOf(signature, vault)],
        lendingEvents: [],
        farmEvents: [],
        allocationEvents: [],
        queueEvents: [],
        problems: [],
      },
    ],
    tail: null,
    missing: [],
    found: [],
    orders: new Map(),
  };
}

describe.each(postgres())('pages written at the same time on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  it('wait for each other, so the second one sees that their slot needs an order', async () => {
    const { db } = history;
    let second: Promise<PageOutcome> | undefined;
    const slow: Database = {
      ...db,
      transaction: (work) =>
        db.transaction(async (sql) => {
          const result = await work(sql);
          second = writePage(db, pageOf('second', 'vault-b'));
          const first = await Promise.race([
            second,
            new Promise((resolve) => setTimeout(resolve, 300, 'waiting')),
          ]);
          expect(first).toBe('waiting');
          return result;
        }),
    };
    expect(await writePage(slow, pageOf('first', 'vault-a'))).toEqual({ kind: 'written' });
    expect(await second).toEqual({ kind: 'orderNeeded', slots: [SLOT] });
    const ordered = {
      ...pageOf('second', 'vault-b'),
      orders: new Map([[SLOT, { signatures: ['second', 'first'], exact: true }]]),
    };
    expect(await writePage(db, ordered)).toEqual({ kind: 'written' });
    expect(await db.rows('SELECT signature, place FROM vault_event ORDER BY place')).toEqual([
      { signature: 'second', place: 0 },
      { signature: 'first', place: 1 },
    ]);
  });
});
