import { type LocalnetGeyser, startGeyserServer } from '@sluice/localnet/geyser/server';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { TransactionStream } from '../../../src/chain/transactions/transaction-stream.ts';
import { ChainTransactions } from '../../../src/chain/transactions/transactions.ts';
import { StreamFollower, type StreamFollowerOptions } from '../../../src/ingest/stream/stream-follower.ts';
import type { Sql } from '../../../src/store/sql.ts';
import { EVENT_TABLES } from '../../../src/store/transactions/event-rows.ts';
import {
  addRange,
  readCoverage,
  type SlotRange,
  scopeOf,
} from '../../../src/store/transactions/slot-ranges.ts';
import type { TestDatabase } from '../databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../history/history-database.ts';
import { allTransactions, confirmed } from '../localnet/confirmed-transactions.ts';
import { ownersOf, platformOf, sourceOver, type TestSource } from './world-events.ts';

export const SCOPE = scopeOf(MAINNET_PROGRAMS);

/** A world that moves only when it is told to, with its RPC and its stream. */
export class StreamWorld {
  readonly chain: WorldChain;
  readonly geyser: LocalnetGeyser;
  readonly rpcUrl: string;
  readonly #close: () => Promise<void>;
  readonly #pass: () => void;

  private constructor(
    parts: Pick<StreamWorld, 'chain' | 'geyser' | 'rpcUrl'> & {
      close: () => Promise<void>;
      pass: () => void;
    },
  ) {
    this.chain = parts.chain;
    this.geyser = parts.geyser;
    this.rpcUrl = parts.rpcUrl;
    this.#close = parts.close;
    this.#pass = parts.pass;
  }

  static async open(): Promise<StreamWorld> {
    let nowMs = Date.UTC(2026, 5, 15);
    const chain = createWorldChain({ now: () => nowMs });
    const rpc = await startRpcServer(chain);
    const geyser = await startGeyserServer(chain, { replaySlots: 150 });
    return new StreamWorld({
      chain,
      geyser,
      rpcUrl: rpc.url,
      pass: () => {
        nowMs += 400;
        chain.tick();
      },
      close: async () => {
        await geyser.close();
        await rpc.close();
      },
    });
  }

  get shareMints(): Address[] {
    return this.chain.world.vaults.map(({ sharesMint }) => sharesMint.address);
  }

  /** Lets slots pass, and others work in between. Resolves to the newest slot. */
  async advance(slots: number): Promise<bigint> {
    for (let i = 0; i < slots; i += 1) {
      this.#pass();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.chain.slot;
  }

  /** The events of the transactions after one slot and up to another, decoded without RPC, stream or store. */
  eventsBetween(after: bigint, to: bigint): string[] {
    const read = createTransactionReader(MAINNET_PROGRAMS);
    const owners = ownersOf(this.chain.world);
    const lookups = {
      ...platformOf(this.chain.world),
      ownerOfObligation: (address: Address) => owners.get(address) ?? null,
    };
    return allTransactions(this.chain)
      .filter(({ slot }) => slot > after && slot <= to)
      .flatMap((transaction) => {
        const events = read(confirmed(transaction), lookups);
        const { vaultEvents, lendingEvents, farmEvents, allocationEvents, queueEvents } = events;
        return [...vaultEvents, ...lendingEvents, ...farmEvents, ...allocationEvents, ...queueEvents];
      })
      .map(({ signature, index, kind }) => `${signature}/${index} ${kind}`)
      .sort();
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** An empty database that follows the stream of a world. */
export class StreamReader {
  readonly history: HistoryDatabase;
  readonly source: TestSource;
  readonly failures: string[] = [];
  readonly #world: StreamWorld;
  readonly #options: Partial<StreamFollowerOptions>;
  #follower: StreamFollower | null = null;

  private constructor(world: StreamWorld, history: HistoryDatabase, options: Partial<StreamFollowerOptions>) {
    this.#world = world;
    this.#options = options;
    this.history = history;
    const { chain, rpcUrl } = world;
    this.source = sourceOver(rpcUrl, history.db, {
      platform: platformOf(chain.world),
      owners: ownersOf(chain.world),
    });
  }

  static async open(
    kind: TestDatabase,
    world: StreamWorld,
    options: Partial<StreamFollowerOptions> = {},
  ): Promise<StreamReader> {
    return new StreamReader(world, await openHistory(kind), options);
  }

  get follower(): StreamFollower {
    const { rpc } = this.source.pool;
    this.#follower ??= new StreamFollower({
      stream: new TransactionStream({ endpoints: [{ url: this.#world.geyser.url }] }),
      source: this.source,
      chain: new ChainTransactions(rpc),
      programs: MAINNET_PROGRAMS,
      onFailure: (_what, error) => this.failures.push(String(error)),
      writeEveryMs: 1,
      retryMs: 10,
      fillEveryMs: 0,
      ...this.#options,
    });
    return this.#follower;
  }

  follow(): void {
    this.follower.follow(this.history.fence, this.#world.shareMints);
  }

  /** A new process takes over: what only the former one knew is lost. */
  async restart(): Promise<void> {
    await this.stop();
    this.#follower = null;
    this.follow();
  }

  async stop(): Promise<void> {
    await this.#follower?.stop();
  }

  async ranges(): Promise<readonly SlotRange[]> {
    return (await readCoverage(this.history.db, SCOPE)).ranges;
  }

  /** Begins where the world is: with a first slot that is stored. */
  async begin(): Promise<bigint> {
    const first = await this.#world.advance(3);
    await addRange(this.history.db, SCOPE, { from: first, to: first });
    await this.#world.advance(2);
    return first;
  }

  /** Resolves when everything up to the slot is stored without a gap. Slots pass meanwhile: a block is complete when a later one comes. */
  async storedTo(slot: bigint): Promise<void> {
    for (;;) {
      const ranges = await this.ranges();
      if (ranges.length === 1 && (ranges[0]?.to ?? 0n) >= slot) return;
      await this.#world.advance(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  callsOf(method: string): number {
    return this.source.calls.filter((call) => call.method === method).length;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.source.pool.close();
    await this.history.drop();
  }
}

/** The stored final events after one slot and up to another, of all tables. */
export async function storedEvents(sql: Sql, after: bigint, to: bigint): Promise<string[]> {
  const tables = EVENT_TABLES.map(
    (table) =>
      `SELECT signature, event_index, kind FROM ${table} WHERE tail_of IS NULL AND slot > $1::bigint AND slot <= $2::bigint`,
  );
  const rows = await sql.rows(tables.join(' UNION ALL '), [after, to]);
  return rows.map(({ signature, event_index: index, kind }) => `${signature}/${index} ${kind}`).sort();
}
