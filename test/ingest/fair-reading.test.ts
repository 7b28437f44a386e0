import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { Ingestion, type IngestionOptions } from '../../src/ingest/ingestion.ts';
import { readCursors } from '../../src/store/transactions/cursors.ts';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { addressNumbered, EndlessChain } from '../support/ingest/endless-chain.ts';

const ENDLESS = Number.POSITIVE_INFINITY;
const ATTACKER = 'net:192.0.2.1';
const VISITOR = 'net:198.51.100.7';
const LONG_MS = 600_000;

describe('reading transactions beside endless lists', () => {
  let history: HistoryDatabase;
  let chain: EndlessChain;
  let ingestion: Ingestion;
  let nowMs = 0;
  let numbered = 0;
  const failures: unknown[] = [];
  const turnedAway: string[] = [];
  const clock = {
    now: () => nowMs,
    /** Deadlines never pass, unless the caller leaves. */
    sleep: (_: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };

  beforeAll(async () => {
    const [kind] = databases();
    if (kind === undefined) throw new Error('there is no database to test with');
    history = await openHistory(kind);
  });
  beforeEach(() => {
    chain = new EndlessChain(history.db);
    failures.length = 0;
    turnedAway.length = 0;
    nowMs = 1_000_000;
    start();
  });
  afterEach(async () => {
    chain.open();
    await ingestion.stop();
    expect(failures).toEqual([]);
  });
  afterAll(() => history?.drop());

  function start(options: Partial<IngestionOptions> = {}): void {
    ingestion = new Ingestion({
      source: chain,
      clock,
      onFailure: (_, error) => failures.push(error),
      onTurnedAway: (whose) => turnedAway.push(whose),
      ...options,
    });
  }

  /** A new address with that many transactions. */
  function address(length: number): Address {
    numbered += 1;
    const made = addressNumbered(numbered);
    chain.lengths.set(made, length);
    return made;
  }

  /** Asks for addresses that never end; ends when the client leaves. */
  function askEndlessly(count: number, caller = ATTACKER): { leave: () => void; answered: Promise<unknown> } {
    const client = new AbortController();
    const answers = Array.from({ length: count }, () =>
      ingestion.ensure([address(ENDLESS)], { caller, deadlineMs: LONG_MS, signal: client.signal }),
    );
    return { leave: () => client.abort(), answered: Promise.allSettled(answers) };
  }

  const ask = (of: Address, caller = VISITOR) =>
    ingestion.ensure([of], { caller, deadlineMs: LONG_MS, maxAgeMs: 0 });

  /** Waits for the end of background reading, or for so much of it that it has no end. */
  const settled = (ceiling: number) =>
    until(() => ingestion.progress().length === 0 || chain.totalCalls > ceiling);

  it('stops when the clients are gone', async () => {
    start({ maxAddressesPerCaller: 1_000, maxAddresses: 1_000 });
    chain.after(500, () => clients.leave());
    const clients = askEndlessly(520);
    await clients.answered;
    await settled(5_000);
    expect(ingestion.progress()).toEqual([]);
    // At most the chunks that were being read: six, each of a hundred transactions with their list.
    expect(chain.totalCalls - 500).toBeLessThanOrEqual(6 * 102);
  });

  describe('is paid for', () => {
    const charged = new Map<string, number>();
    const overdrawn = new Set<string>();
    beforeEach(() => {
      charged.clear();
      overdrawn.clear();
      start({
        payments: {
          charge: (caller, units) => charged.set(caller, (charged.get(caller) ?? 0) + units),
          isOverdrawn: (caller) => overdrawn.has(caller),
        },
      });
    });

    it('by the caller it is for, a unit for each two calls of an address', async () => {
      await ask(address(10));
      // The slot, the list and ten transactions.
      expect(chain.calls).toEqual(new Map([[VISITOR, 12]]));
      expect(charged).toEqual(new Map([[VISITOR, 6]]));
      await ask(address(0));
      // The slot is known.
      expect(chain.calls).toEqual(new Map([[VISITOR, 13]]));
      expect(charged).toEqual(new Map([[VISITOR, 7]]));
    });

    it('and stops when its caller has spent too much', async () => {
      chain.after(500, () => overdrawn.add(ATTACKER));
      const { answered, leave } = askEndlessly(100);
      await answered;
      leave();
      await settled(100_000);
      expect(chain.totalCalls - 500).toBeLessThanOrEqual(6 * 102);
      expect(charged.get(ATTACKER)).toBeGreaterThanOrEqual(chain.totalCalls / 2);
      overdrawn.clear();
      expect(await ask(address(10), ATTACKER)).toMatchObject({ complete: true });
    });

    it('by another caller that waits when the first has spent too much', async () => {
      const wallet = address(1_350);
      chain.after(450, () => overdrawn.add(ATTACKER));
      const [first, second] = await Promise.all([ask(wallet, ATTACKER), ask(wallet, VISITOR)]);
      expect([first, second]).toMatchObject([{ complete: true }, { complete: true }]);
      expect(charged.get(VISITOR)).toBeGreaterThanOrEqual((1_350 - 450) / 2);
      expect(chain.totalCalls).toBeLessThan(
        2 * ((charged.get(ATTACKER) ?? 0) + (charged.get(VISITOR) ?? 0)) + 2,
      );
    });
  });

  it('resumes from where it stopped, and reads no transaction twice', async () => {
    const wallet = address(1_350);
    const client = new AbortController();
    chain.after(450, () => client.abort());
    const first = ingestion.ensure([wallet], { caller: VISITOR, deadlineMs: LONG_MS, signal: client.signal });
    expect(await first).toMatchObject({ complete: false });
    await settled(100_000);
    const stored = (await readCursors(history.db, [wallet])).get(wallet);
    expect(stored?.transactions).toBe(chain.reads.size);
    expect(chain.reads.size).toBe(500);
    expect(await ask(wallet)).toMatchObject({ complete: true, transactions: 1_350 });
    expect(chain.reads.size).toBe(1_350);
    expect([...chain.reads.values()].every((times) => times === 1)).toBe(true);
  });

  it('resumes the gap below newer transactions', async () => {
    const wallet = address(10);
    await ask(wallet);
    // The list of this chain is numbered from its newest end, so newer transactions are a new numbering.
    await history.db.run(
      `UPDATE ingest_cursor SET newest_signature = $1::text, oldest_signature = $2::text
       WHERE address_id = (SELECT id FROM subject WHERE address = $3::text)`,
      [`${wallet}/1350`, `${wallet}/1359`, wallet],
    );
    await history.db.run(
      `UPDATE ingest_cursor SET newest_slot = newest_slot - 1350, oldest_slot = oldest_slot - 1350
       WHERE address_id = (SELECT id FROM subject WHERE address = $1::text)`,
      [wallet],
    );
    chain.lengths.set(wallet, 1_360);
    chain.reads.clear();
    const client = new AbortController();
    chain.after(350, () => client.abort());
    const first = ingestion.ensure([wallet], {
      caller: VISITOR,
      deadlineMs: LONG_MS,
      maxAgeMs: 0,
      signal: client.signal,
    });
    expect(await first).toMatchObject({ complete: false });
    await settled(100_000);
    expect(chain.reads.size).toBe(400);
    expect((await ingestion.status([wallet])).gap).toBe(true);
    expect(await ask(wallet)).toMatchObject({ complete: true, gap: false, transactions: 1_360 });
    expect([...chain.reads.values()].every((times) => times === 1)).toBe(true);
  });

  it('goes on for a caller that was answered, until it stops asking', async () => {
    const wallet = address(ENDLESS);
    const poll = () =>
      ingestion.ensure([wallet], {
        caller: VISITOR,
        deadlineMs: LONG_MS,
        enough: () => Promise.resolve(true),
      });
    expect(await poll()).toMatchObject({ complete: false, running: true });
    for (let i = 0; i < 3; i += 1) {
      const calls = chain.totalCalls;
      nowMs += 29_000;
      expect(await poll()).toMatchObject({ running: true });
      await until(() => chain.totalCalls > calls + 300);
    }
    nowMs += 31_000;
    await settled(chain.totalCalls + 20_000);
    expect(ingestion.progress()).toEqual([]);
    expect(await ingestion.status([wallet])).toMatchObject({
      complete: false,
      running: false,
      failure: null,
    });
  });

  it('answers an ordinary wallet soon, however many addresses another caller asks for', async () => {
    start({ maxAddressesPerCaller: 400 });
    const clients = askEndlessly(300);
    await until(() => chain.totalCalls > 1_000);
    const wallet = address(150);
    const before = chain.callsExcept(VISITOR);
    expect(await ask(wallet)).toMatchObject({ complete: true, transactions: 150 });
    // Two turns of the visitor, each after at most one chunk of every slot.
    expect(chain.callsExcept(VISITOR) - before).toBeLessThanOrEqual(2_000);
    clients.leave();
    await clients.answered;
  });

  it('follows beside requests that want everything', async () => {
    start({ maxAddressesPerCaller: 400 });
    const clients = askEndlessly(300);
    await until(() => chain.totalCalls > 1_000);
    const [vault, shares] = [address(150), address(20)];
    const before = chain.callsExcept('');
    await Promise.all([vault, shares].map((each) => ingestion.follow(each, { fence: null, back: true })));
    expect(chain.callsExcept('') - before).toBeLessThanOrEqual(2_000);
    expect(await ingestion.status([vault, shares])).toMatchObject({ reachedStart: true, transactions: 170 });
    clients.leave();
    await clients.answered;
  });

  it('follows the newest end of an address while a request reads it back', async () => {
    const vault = address(ENDLESS);
    const client = new AbortController();
    const request = ingestion.ensure([vault], {
      caller: ATTACKER,
      deadlineMs: LONG_MS,
      signal: client.signal,
    });
    await until(() => chain.totalCalls > 300);
    const before = chain.totalCalls;
    await Promise.race([
      ingestion.follow(vault, { fence: null, back: false }),
      until(() => chain.totalCalls > before + 10_000),
    ]);
    expect(chain.totalCalls).toBeLessThan(before + 10_000);
    client.abort();
    await request;
  });

  it('turns a caller away at its limit, and no other', async () => {
    start({ maxAddressesPerCaller: 3, maxAddresses: 5 });
    chain.close();
    const wallet = address(5);
    const busy = askEndlessly(3);
    expect(await failureOf(ask(wallet, ATTACKER))).toMatchObject({
      code: 'TRANSACTIONS_BUSY',
      context: { whose: 'caller', ceiling: 3 },
    });
    expect(ERROR_CODES.TRANSACTIONS_BUSY.retryable).toBe(true);
    const answer = ask(wallet);
    // An address that is read already needs no more room.
    const joined = ask(wallet, ATTACKER);
    const other = askEndlessly(1, 'key:1');
    expect(await failureOf(ask(address(5), 'key:2'))).toMatchObject({
      code: 'TRANSACTIONS_BUSY',
      context: { whose: 'gateway', ceiling: 5 },
    });
    expect(turnedAway).toEqual(['caller', 'gateway']);
    chain.open();
    for (const each of [answer, joined]) expect(await each).toMatchObject({ complete: true });
    for (const each of [busy, other]) {
      each.leave();
      await each.answered;
    }
    expect(await ask(address(5), ATTACKER)).toMatchObject({ complete: true });
  });

  it('reports an address whose turn has not come as unread', async () => {
    const clients = askEndlessly(8);
    chain.close();
    await until(() => ingestion.progress().length === 8);
    const client = new AbortController();
    const wallet = address(5);
    const answer = ingestion.ensure([wallet], {
      caller: VISITOR,
      deadlineMs: LONG_MS,
      signal: client.signal,
    });
    client.abort();
    expect(await answer).toMatchObject({ unread: true, complete: false });
    chain.open();
    clients.leave();
    await clients.answered;
  });

  it('does not call a known list complete before its newest end was read again', async () => {
    const wallet = address(5);
    expect(await ask(wallet)).toMatchObject({ complete: true, unread: false });
    chain.close();
    const client = new AbortController();
    const options = { caller: VISITOR, deadlineMs: LONG_MS, maxAgeMs: 0 };
    const patient = ingestion.ensure([wallet], options);
    const answer = ingestion.ensure([wallet], { ...options, signal: client.signal });
    client.abort();
    expect(await answer).toMatchObject({ complete: false, unread: false });
    chain.open();
    expect(await patient).toMatchObject({ complete: true });
  });

  it('stores nothing for a wallet without transactions', async () => {
    const rows = async () =>
      await history.db.rows(
        'SELECT (SELECT count(*)::integer FROM subject) AS subjects, (SELECT count(*)::integer FROM ingest_cursor) AS cursors',
      );
    const before = await rows();
    const wallets = Array.from({ length: 20 }, () => address(0));
    for (const wallet of wallets) {
      expect(await ask(wallet)).toMatchObject({ complete: true, unread: false, transactions: 0 });
    }
    expect(await rows()).toEqual(before);
    const [wallet = address(0)] = wallets;
    chain.lengths.set(wallet, 7);
    expect(await ask(wallet)).toMatchObject({ complete: true, transactions: 7 });
    expect(await rows()).not.toEqual(before);
  });
});
