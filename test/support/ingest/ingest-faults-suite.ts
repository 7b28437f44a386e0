import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { systemClock } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Ingestion } from '../../../src/ingest/ingestion.ts';
import { readCursors } from '../../../src/store/transactions/cursors.ts';
import { readVaultEvents, type StoredVaultEvent } from '../../../src/store/transactions/read-vault-events.ts';
import type { TestDatabase } from '../databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../history/history-database.ts';
import { type LongHistoryRpc, startLongHistory } from '../rpc/long-history-rpc.ts';
import { platformOf, sourceOver, type TestSource } from './world-events.ts';

const CALLER = 'net:192.0.2.1';

/**
 * Histories of 1,050 and 1,100 transactions have two pages of signatures, as few as show what happens between pages.
 *
 * @param many transactions of the longest history
 */
export function describeIngestFaults(kinds: readonly TestDatabase[], many: number): void {
  let localChain: WorldChain;

  beforeAll(() => {
    localChain = createWorldChain({ now: () => Date.UTC(2026, 5, 15) });
  });

  describe.each(kinds)('ingestion from a faulty node into $name', (kind) => {
    let history: HistoryDatabase;
    let rpc: LongHistoryRpc;
    let vault: Address;
    let source: TestSource;
    let ingestion: Ingestion;
    let failures: unknown[] = [];

    beforeAll(async () => {
      history = await openHistory(kind);
    });
    beforeEach(async () => {
      ({ rpc, vault } = await startLongHistory(localChain));
      await history.db.run(
        'TRUNCATE vault_event, lending_event, farm_event, allocation_event, queue_event, ingest_cursor, ingest_missing, ingest_problem',
      );
      restart(false);
    });
    afterEach(async () => {
      await ingestion.stop();
      await source.pool.close();
      await rpc.close();
    });
    afterAll(() => history.drop());

    /** Starts with no memory but the database, as a new process does. */
    function restart(wholeChain: boolean): void {
      failures = [];
      source = sourceOver(rpc.url, history.db, { platform: platformOf(localChain.world), wholeChain });
      ingestion = new Ingestion({ source, onFailure: (_, error) => failures.push(error), clock });
    }

    let skippedMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
    /** A second after the one before, so that it does not share the finalized slot of that. */
    const ensure = (deadlineMs = 300_000) => {
      skippedMs += 1_000;
      return ingestion.ensure([vault], { caller: CALLER, deadlineMs, maxAgeMs: 0 });
    };
    const cursor = async () => (await readCursors(history.db, [vault])).get(vault);
    const stored = (): Promise<StoredVaultEvent[]> =>
      readVaultEvents(history.db, { vault }, {}, { order: 'newestFirst', limit: null });
    /** Signatures in order. Each transaction has a deposit and a stake, so an extra or a missing event shows. */
    const names = async () => {
      const events = await stored();
      const signatures = [...new Set(events.map(({ signature }) => signature))];
      expect(events.map(({ signature, kind }) => `${signature} ${kind}`)).toEqual(
        signatures.flatMap((signature) => [`${signature} stake`, `${signature} deposit`]),
      );
      return signatures;
    };
    const listed = () => rpc.entries.filter(({ failed }) => !failed).map(({ signature }) => signature);

    it('reads a history of several pages without the failed transactions', async () => {
      rpc.grow(1_050, { failedEvery: 10 });
      expect(await ensure()).toMatchObject({
        complete: true,
        transactions: 1_050,
        missing: 0,
        failure: null,
      });
      expect(await names()).toEqual(listed());
      expect(await cursor()).toMatchObject({ transactions: 1_050, failed: 105, head: null });
    });

    it('answers with what it has at the deadline and continues in the background', async () => {
      rpc.grow(1_500);
      rpc.latencyMs = 4;
      let early = await ensure(50);
      for (; early.backToSlot === null; early = await ensure(50)) {
        expect(early).toMatchObject({ complete: false, running: true });
      }
      const some = await names();
      expect(some.length).toBeGreaterThan(0);
      expect(some.length).toBeLessThan(1_500);
      expect(some).toEqual(listed().slice(0, some.length));
      expect(ingestion.progress()).toMatchObject([{ address: vault, phase: 'older' }]);
      expect(await ensure()).toMatchObject({ complete: true, running: false, backToSlot: null });
      expect(await names()).toEqual(listed());
      expect(rpc.count('getTransaction')).toBe(1_500);
    });

    it('answers as soon as there is enough, before everything is read', async () => {
      rpc.grow(1_100);
      const asked: (bigint | null)[] = [];
      let held: (() => void) | null = null;
      // Older transactions are held back until the answer has been given.
      const answered = new Promise<void>((resolve) => {
        held = resolve;
      });
      const { transactions } = source;
      const slow = {
        ...source,
        transactions: {
          signaturesOf: transactions.signaturesOf.bind(transactions),
          finalizedSlot: transactions.finalizedSlot.bind(transactions),
          firstAvailableSlot: transactions.firstAvailableSlot.bind(transactions),
          blockSignatures: transactions.blockSignatures.bind(transactions),
          readTransactions: async (
            ...[signatures, options]: Parameters<typeof transactions.readTransactions>
          ) => {
            if (rpc.count('getTransaction') >= 200) await answered;
            return await transactions.readTransactions(signatures, options);
          },
        },
      };
      const other = new Ingestion({ source: slow, onFailure: (_, error) => failures.push(error) });
      const status = await other.ensure([vault], {
        caller: CALLER,
        deadlineMs: 300_000,
        enough: async ({ backToSlot }) => {
          asked.push(backToSlot);
          return (await names()).length > 100;
        },
      });
      // The newest hundred are not enough, the next hundred are. The first call comes once the newest are known.
      expect(asked.length).toBeGreaterThan(1);
      expect(asked.every((each) => each !== null)).toBe(true);
      expect(status).toMatchObject({ complete: false, running: true, transactions: 200 });
      expect(await names()).toEqual(listed().slice(0, 200));
      (held as (() => void) | null)?.();
      expect(await other.ensure([vault], { caller: CALLER, deadlineMs: 300_000 })).toMatchObject({
        complete: true,
      });
      expect(await names()).toEqual(listed());
      await other.stop();
      expect(failures).toEqual([]);
    });

    it('reports older transactions as unknown when the node has pruned them', async () => {
      rpc.grow(300);
      rpc.firstAvailable = rpc.entries[120]?.slot ?? 0;
      const status = await ensure();
      expect(status).toMatchObject({
        complete: false,
        reachedStart: true,
        availableFrom: BigInt(rpc.firstAvailable),
      });
      expect(await names()).toEqual(listed().slice(0, 121));
    });

    it('reports older transactions as unknown when the node does not say how far back it goes', async () => {
      rpc.grow(5);
      rpc.firstAvailable = null;
      expect(await ensure()).toMatchObject({
        complete: false,
        availableFrom: BigInt(rpc.entries[4]?.slot ?? 0),
      });
      expect(await names()).toEqual(listed());
    });

    it('reports a gap that a node pruned between two reads', async () => {
      rpc.grow(10);
      expect(await ensure()).toMatchObject({ complete: true });
      rpc.grow(20_000);
      rpc.entries = rpc.entries.filter((_, i) => i < 50 || i >= 20_000);
      rpc.firstAvailable = rpc.entries[49]?.slot ?? 0;
      restart(false);
      expect(await ensure()).toMatchObject({ complete: false, availableFrom: BigInt(rpc.firstAvailable) });
      expect(await names()).toEqual(listed());
    });

    it('requests a transaction again that was listed but not returned', async () => {
      rpc.grow(30);
      const withheld = rpc.entries[7]?.signature ?? '';
      rpc.withheld.add(withheld);
      expect(await ensure()).toMatchObject({ complete: false, reachedStart: true, missing: 1 });
      expect(await names()).toEqual(listed().filter((each) => each !== withheld));
      rpc.withheld.clear();
      await history.db.run("UPDATE ingest_missing SET asked_at = asked_at - interval '1 hour'");
      expect(await ensure()).toMatchObject({ complete: true, missing: 0, transactions: 30 });
      expect(await names()).toEqual(listed());
    });

    it('resumes where a node failed', async () => {
      rpc.grow(1_050);
      rpc.breaks = (method, nth) => method === 'getTransaction' && nth > 450;
      const broken = await ensure();
      expect(broken).toMatchObject({ complete: false, failure: 'RPC_UNAVAILABLE' });
      expect(failures.length).toBe(1);
      const some = await names();
      expect(some).toEqual(listed().slice(0, some.length));
      rpc.breaks = () => false;
      restart(false);
      expect(await ensure()).toMatchObject({ complete: true, transactions: 1_050 });
      expect(await names()).toEqual(listed());
    });

    it('remembers the gap below newer transactions until it is filled', async () => {
      rpc.grow(50);
      await ensure();
      rpc.grow(1_100);
      const before = rpc.count('getTransaction');
      rpc.breaks = (method, nth) => method === 'getTransaction' && nth > before + 350;
      expect(await ensure()).toMatchObject({ complete: false, gap: true });
      const some = await names();
      expect(some).toEqual([...listed().slice(0, some.length - 50), ...listed().slice(-50)]);
      rpc.breaks = () => false;
      rpc.grow(30);
      restart(false);
      expect(await ensure()).toMatchObject({ complete: true, gap: false, transactions: 1_180 });
      expect(await names()).toEqual(listed());
    });

    it('removes a transaction that the chain dropped, and shows others before they are final', async () => {
      rpc.grow(20);
      rpc.unfinalizedSlots = 35;
      const status = await ensure();
      expect(status).toMatchObject({ complete: true, transactions: 16 });
      const shown = await stored();
      expect(shown.map(({ final }) => final)).toEqual([...Array(8).fill(false), ...Array(32).fill(true)]);
      const given = rpc.entries[1]?.signature ?? '';
      rpc.entries = rpc.entries.filter(({ signature }) => signature !== given);
      await ensure();
      expect(await names()).toEqual(listed());
      rpc.unfinalizedSlots = 0;
      restart(false);
      await ensure();
      expect((await stored()).every(({ final }) => final)).toBe(true);
      expect(await names()).toEqual(listed());
      expect(await cursor()).toMatchObject({ transactions: 19 });
    });

    it('moves a transaction that landed in another block', async () => {
      rpc.grow(10);
      rpc.unfinalizedSlots = 15;
      await ensure();
      const [first, ...rest] = rpc.entries;
      if (first === undefined) throw new Error('no transaction');
      rpc.entries = [{ ...first, slot: first.slot + 3 }, ...rest];
      restart(false);
      await ensure();
      expect((await stored())[0]).toMatchObject({ signature: first.signature, slot: BigInt(first.slot + 3) });
      expect(await names()).toEqual(listed());
    });

    it.each([true, false])('keeps the order within a slot, with blocks readable: %s', async (blocks) => {
      rpc.blocks = blocks;
      rpc.grow(5);
      rpc.grow(6, { sameSlot: true });
      rpc.grow(5);
      await ensure();
      expect(await names()).toEqual(listed());
      expect((await stored()).some(({ place }) => (blocks ? place > 0 : place < 0))).toBe(true);
    });

    it('reads an address once for many concurrent callers', async () => {
      rpc.grow(200);
      await Promise.all(Array.from({ length: 20 }, () => ensure()));
      expect(rpc.count('getTransaction')).toBe(200);
      expect((await cursor())?.transactions).toBe(200);
    });

    it('counts no transaction twice when two processes read the same address', async () => {
      rpc.grow(900);
      const other = sourceOver(rpc.url, history.db, {
        platform: platformOf(localChain.world),
        wholeChain: false,
      });
      const second = new Ingestion({ source: other, onFailure: (_, error) => failures.push(error) });
      await Promise.all([ensure(), second.ensure([vault], { caller: CALLER, deadlineMs: 300_000 })]);
      await second.stop();
      await other.pool.close();
      expect(failures).toEqual([]);
      expect(await names()).toEqual(listed());
      expect(await cursor()).toMatchObject({ transactions: 900, reachedStart: true });
    });

    it(`reads ${many} transactions, and then only new ones`, async () => {
      rpc.grow(many);
      expect(await ensure()).toMatchObject({ complete: true, transactions: many, failure: null });
      expect(await names()).toEqual(listed());
      rpc.counts.clear();
      expect(await ensure()).toMatchObject({ complete: true });
      expect(rpc.count('getTransaction')).toBe(0);
      rpc.grow(3);
      expect(await ensure()).toMatchObject({ complete: true, transactions: many + 3 });
      expect(rpc.count('getTransaction')).toBe(3);
      expect(await names()).toEqual(listed());
    });
  });
}
