import { Redis } from 'ioredis';
import type { PositionAccount } from '../../../src/chain/positions/position-kinds.ts';
import { FeedChannel } from '../../../src/feed/feed-channel.ts';
import { feedKeys } from '../../../src/feed/feed-keys.ts';
import { Follower } from '../../../src/feed/follower.ts';
import { KnownStates } from '../../../src/feed/positions-state.ts';
import { Publisher } from '../../../src/feed/publisher.ts';
import { CountingObserver, sealOf, TestChain } from './fed-chain.ts';
import { BUILT_AT_MS, VAULTS } from './feed-views.ts';

const NEVER = new AbortController().signal;

/** Reports failures of Redis instead of throwing them in the background. */
class PatientObserver extends CountingObserver {
  readonly failures: unknown[] = [];
  override failed(failure: unknown): void {
    this.failures.push(failure);
  }
}

/** A feed whose readers and followers do what the test says, when it says so. Only loading runs in the background. */
export class PositionsFeed {
  readonly keys: ReturnType<typeof feedKeys>;
  readonly admin: Redis;
  readonly #name: string;
  readonly #url: string;
  readonly #stops: (() => void)[] = [];
  #newestReader: TestReader | null = null;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
    this.keys = feedKeys(name);
    this.admin = new Redis(url);
    this.#stops.push(() => this.admin.disconnect());
  }

  /** A process that holds the lease from now on, with the positions that it had before or those given. */
  async reader(positions: readonly PositionAccount[] = [], before = new TestProcess()): Promise<TestReader> {
    const { chain } = before;
    await this.admin.del(this.keys.lease);
    const channel = this.#channel();
    const lease = await channel.acquire('test');
    if (lease === null) throw new Error('the lease is held');
    const reader = new TestReader(before, channel, lease.token, this.#name);
    this.#stops.push(() => reader.publisher.stop());
    chain.catalogue.put(VAULTS[0], 1n, 1n);
    if (positions.length > 0) await chain.positions.load(1n, positions);
    this.#newestReader = reader;
    return reader;
  }

  /** Its questions for positions go to the newest reader. */
  follower(): TestFollower {
    const follower = new TestFollower(this.#channel(), this.#name, (unusable) => {
      void this.#newestReader?.publisher.writePositions(unusable).catch(() => undefined);
    });
    this.#stops.push(() => follower.follower.stop());
    return follower;
  }

  stop(): void {
    for (const stop of this.#stops.reverse()) stop();
  }

  #channel(): FeedChannel {
    const seal = sealOf(this.#name);
    const bounds = { leaseMs: 600_000, timeoutMs: 60_000, maxEntries: 5 };
    const channel = new FeedChannel({ url: this.#url, name: this.#name, seal, ...bounds });
    this.#stops.push(() => channel.close());
    return channel;
  }
}

/** What a process has whether it reads or follows. */
class TestProcess {
  readonly chain = new TestChain();
  readonly states = new KnownStates();
}

export class TestReader {
  readonly chain: TestChain;
  readonly observer = new PatientObserver();
  readonly publisher: Publisher;
  readonly #token: bigint;
  #slot = 10n;

  constructor({ chain, states }: TestProcess, channel: FeedChannel, token: bigint, name: string) {
    this.chain = chain;
    this.#token = token;
    this.#slot = chain.views.newest?.moment.slot ?? this.#slot;
    this.publisher = new Publisher({
      chain,
      channel,
      observer: this.observer,
      seal: sealOf(name),
      intervalMs: 2_000,
      token,
      from: { slot: 0n, timestamp: 0n, highestSlot: this.#slot },
      snapshotEvery: 100,
      states,
    });
  }

  /** The slot of its newest View. */
  get slot(): bigint {
    return this.#slot;
  }

  /** Publishes what its chain holds now. False when another process reads by now. */
  async publish(): Promise<boolean> {
    this.#slot += 3n;
    const view = this.chain.build(this.#slot, `reader${this.#token}`);
    const isAccepted = await this.publisher.publish(view);
    if (isAccepted) this.chain.views.publish(view);
    return isAccepted;
  }
}

export class TestFollower extends TestProcess {
  readonly observer = new PatientObserver();
  readonly follower: Follower;
  readonly asked: string[] = [];
  readonly #channel: FeedChannel;

  constructor(channel: FeedChannel, name: string, ask: (unusable: string) => void) {
    super();
    this.#channel = channel;
    this.follower = new Follower({
      chain: this.chain,
      channel,
      observer: this.observer,
      seal: sealOf(name),
      states: this.states,
      askForPositions: (unusable) => {
        this.asked.push(unusable);
        ask(unusable);
      },
      now: () => BUILT_AT_MS + 1_000,
    });
  }

  get positions() {
    return this.chain.views.newest?.positions ?? null;
  }

  /** Takes what there is now. */
  async follow(): Promise<void> {
    const { follower } = this;
    if (follower.position === null && !(await follower.takeSnapshot(NEVER))) return;
    for (let position = follower.position; position !== null; ) {
      const entries = await this.#channel.entriesAfter(position, 1);
      if (entries.length === 0) return;
      for (const entry of entries) {
        if (follower.position !== null) await follower.apply(entry, NEVER);
      }
      if (follower.position === null) return;
      position = follower.position;
    }
  }
}
