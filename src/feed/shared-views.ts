import { deadlineSignal } from '../chain/rpc/transport/deadline.ts';
import type { View } from '../chain/view/view.ts';
import type { ChainRole, FedChain, ViewFeed } from '../chain/view/view-feed.ts';
import { pauseFor } from '../node/pause-for.ts';
import { unlessAborted } from '../node/unless-aborted.ts';
import type { Ask, FeedChannel, Lease } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import { Follower } from './follower.ts';
import { highestSlotOf, maxOf, readFrom } from './progress.ts';
import { Publisher } from './publisher.ts';

export interface FeedTiming {
  /** Another process takes over within a tick after the lease has expired. */
  readonly leaseMs: number;
  /** A command to Redis without an answer fails after this time. */
  readonly redisTimeoutMs: number;
  /** Longest wait of one read of the feed for entries. The lease is renewed or tried as often. */
  readonly tickMs: number;
  /** Pause after a failure. */
  readonly retryMs: number;
  /** Without the feed, a gateway serves what it has for this long, then reads for itself. */
  readonly graceMs: number;
  /** A reader whose reads fail gives up its lease after this time. */
  readonly resignAfterMs: number;
  /** The same for a reader whose reads hang, in addition to the time between two reads. */
  readonly stallMs: number;
  /** A gateway that reads for itself waits this long for the feed to catch up with it before it reads on. */
  readonly rejoinMs: number;
  /** A request for a View that has not arrived waits this long for it. */
  readonly arrivalMs: number;
}

export const FEED_TIMING: FeedTiming = {
  leaseMs: 1_500,
  redisTimeoutMs: 2_000,
  tickMs: 300,
  retryMs: 200,
  graceMs: 5_000,
  resignAfterMs: 3_000,
  stallMs: 20_000,
  rejoinMs: 10_000,
  arrivalMs: 1_000,
};

export interface SharedViewsOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  /** Names this process to operators. */
  readonly holder: string;
  readonly snapshotEvery: number;
  /** Interval at which the chain is read while reads succeed. */
  readonly refreshMs: number;
  readonly timing: FeedTiming;
}

/** Maximum follower requests that a reader handles at a time; followers repeat theirs. */
const MAX_PENDING_ASKS = 64;
/** Time limit of one follower request, and of one probe of the RPC. */
const ASK_MS = 10_000;

/** Views shared over Redis: one process reads the chain, the others follow it. Each one reads for itself without Redis. */
export class SharedViews implements ViewFeed {
  readonly #options: SharedViewsOptions;
  readonly #timing: FeedTiming;
  readonly #follower: Follower;
  readonly #stop = new AbortController();
  readonly #asked = new Set<bigint>();
  readonly #pending = new Set<string>();
  #role: ChainRole = 'follower';
  #publisher: Publisher | null = null;
  #running: Promise<void> = Promise.resolve();
  /** When following the feed began to fail; null while it works. */
  #lostAt: number | null = null;
  #failingSince: number | null = null;
  /** When the last View of our own was served; null before the first of this turn as a reader. */
  #servedOwnAt: number | null = null;
  #timesDiscarded = 0;
  /** False after the chain could not be read, until it can be. */
  #mayLead = true;
  #isProbing = false;
  #rejoinAt = 0;

  constructor(options: SharedViewsOptions) {
    this.#options = options;
    this.#timing = options.timing;
    this.#follower = new Follower(options);
  }

  get role(): ChainRole {
    return this.#role;
  }

  get arrivalMs(): number {
    return this.#role === 'standalone' ? 0 : this.#timing.arrivalMs;
  }

  start(): void {
    const forget = this.#options.chain.views.onView(() => this.#asked.clear());
    this.#running = this.#run().finally(forget);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#options.channel.close();
  }

  async admit(view: View): Promise<boolean> {
    const publisher = this.#publisher;
    if (publisher === null) {
      if (this.#role !== 'standalone') return false;
      this.#follower.servedOwn(this.#highestWith(view), null);
    } else {
      if (!(await publisher.publish(view))) return false;
      this.#follower.servedOwn(publisher.highestSlot, publisher.position);
    }
    this.#failingSince = null;
    this.#servedOwnAt = performance.now();
    return true;
  }

  readFailed(): void {
    this.#failingSince ??= performance.now();
  }

  ask(slot: bigint): void {
    if (this.#asked.has(slot)) return;
    this.#asked.add(slot);
    this.#askFor({ slot, snapshot: false });
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      let isFollowing = false;
      try {
        isFollowing = await this.#turn();
      } catch (failure) {
        if (this.#stop.signal.aborted) break;
        this.#options.observer.failed(failure);
        this.#readAlone({ atOnce: this.#options.chain.views.newest === undefined });
        await this.#pause();
        continue;
      }
      if (isFollowing) this.#lostAt = null;
      else this.#readAlone({ atOnce: false });
    }
    await this.#options.chain.stopReading();
  }

  /** Leads, follows or tries to. Returns whether the feed is usable. */
  async #turn(): Promise<boolean> {
    const { channel, holder } = this.#options;
    if (this.#mayLead) {
      const lease = await channel.acquire(holder);
      if (lease !== null) {
        await this.#lead(lease);
        return true;
      }
    } else this.#probe();
    if (this.#role === 'standalone') return await this.#rejoin();
    return await this.#follow();
  }

  async #follow(): Promise<boolean> {
    const { channel } = this.#options;
    const position = this.#follower.position;
    if (position === null) {
      if (await this.#follower.takeSnapshot()) return true;
      this.#askFor({ slot: this.#follower.highestSlot, snapshot: true });
      await this.#pause();
      return false;
    }
    const reading = channel.entriesAfter(position, this.#timing.tickMs);
    for (const entry of await unlessAborted(reading, this.#stop.signal)) {
      await this.#follower.apply(entry);
      if (this.#follower.position === null) break;
    }
    return true;
  }

  /** Reads the chain for everybody until the lease is lost or given up. */
  async #lead(lease: Lease): Promise<void> {
    const { chain, channel, observer, snapshotEvery } = this.#options;
    const { token, progress } = lease;
    await chain.stopReading();
    const from = readFrom(chain.views.newest, this.#follower.highestSlot, progress);
    const publisher = new Publisher({
      chain,
      channel,
      observer,
      token,
      from,
      snapshotEvery,
    });
    this.#publisher = publisher;
    this.#failingSince = null;
    this.#servedOwnAt = null;
    this.#lostAt = null;
    this.#setRole('reader');
    try {
      chain.startReading(from);
      await this.#keepLease(token, publisher);
    } finally {
      await chain.stopReading();
      this.#publisher = null;
      this.#setRole('follower');
      // Expires by itself when Redis cannot be reached.
      await channel.release(token).catch((failure: unknown) => observer.failed(failure));
    }
  }

  async #keepLease(token: bigint, publisher: Publisher): Promise<void> {
    const { channel } = this.#options;
    // Request ids are milliseconds, tokens microseconds of one clock. Some requests predate this reader.
    let lastAsk = `${token / 1000n - 3_000n}-0`;
    while (!this.#stop.signal.aborted && !publisher.isLost) {
      if (!(await channel.renew(token))) return;
      if (this.#cannotRead()) {
        this.#mayLead = false;
        return;
      }
      const reading = channel.asksAfter(lastAsk, this.#timing.tickMs);
      const { last, asks } = await unlessAborted(reading, this.#stop.signal).catch((failure: unknown) => {
        if (this.#stop.signal.aborted) return { last: lastAsk, asks: [] };
        throw failure;
      });
      lastAsk = last;
      for (const ask of asks) void this.#answer(ask, publisher);
    }
  }

  async #answer({ slot, snapshot }: Ask, publisher: Publisher): Promise<void> {
    const key = `${slot} ${snapshot}`;
    if (this.#pending.has(key) || this.#pending.size >= MAX_PENDING_ASKS) return;
    this.#pending.add(key);
    using deadline = deadlineSignal(ASK_MS, 'Reading for a follower', this.#stop.signal);
    try {
      await this.#options.chain.reach(slot, deadline.signal);
      if (snapshot) await publisher.writeSnapshot();
    } catch {
      // The follower reports to its clients that the slot was not reached.
    } finally {
      this.#pending.delete(key);
    }
  }

  /** Reads for itself once the feed has been of no use for the grace period. */
  #readAlone({ atOnce }: { readonly atOnce: boolean }): void {
    if (this.#stop.signal.aborted || this.#role === 'standalone') return;
    this.#lostAt ??= performance.now();
    if (!atOnce && performance.now() - this.#lostAt < this.#timing.graceMs) return;
    this.#setRole('standalone');
    this.#startReadingAlone();
  }

  #startReadingAlone(): void {
    const { chain } = this.#options;
    this.#timesDiscarded = chain.timesDiscarded;
    chain.startReading(readFrom(chain.views.newest, this.#follower.highestSlot, null));
  }

  /**
   * Follows again after reading alone. Views must not go back, so it stops reading, asks the reader to pass its own
   * progress, and serves the snapshot that results.
   */
  async #rejoin(): Promise<boolean> {
    const { chain } = this.#options;
    if (performance.now() < this.#rejoinAt) {
      await this.#pause();
      return false;
    }
    await chain.stopReading();
    let hasJoined = false;
    try {
      hasJoined = await this.#caughtUp(performance.now() + this.#timing.rejoinMs);
    } finally {
      this.#rejoinAt = performance.now() + this.#timing.rejoinMs;
      if (hasJoined) this.#setRole('follower');
      else if (!this.#stop.signal.aborted) this.#startReadingAlone();
    }
    return hasJoined;
  }

  async #caughtUp(giveUpAt: number): Promise<boolean> {
    while (performance.now() < giveUpAt && !this.#stop.signal.aborted) {
      if (await this.#follower.takeSnapshot()) return true;
      this.#askFor({ slot: this.#follower.highestSlot, snapshot: true });
      await this.#pause();
    }
    return false;
  }

  #probe(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    const deadline = deadlineSignal(ASK_MS, 'Reading the chain', this.#stop.signal);
    void this.#options.chain
      .probe(deadline.signal)
      .then(
        () => {
          this.#mayLead = true;
        },
        () => this.#pause(),
      )
      .finally(() => {
        deadline[Symbol.dispose]();
        this.#isProbing = false;
      });
  }

  #askFor(ask: Ask): void {
    this.#options.channel.ask(ask).catch((failure: unknown) => this.#options.observer.failed(failure));
  }

  #cannotRead(): boolean {
    const { resignAfterMs, stallMs } = this.#timing;
    const now = performance.now();
    if (this.#failingSince !== null && now - this.#failingSince >= resignAfterMs) return true;
    // The first read takes as long as it takes, and fails by itself.
    return this.#servedOwnAt !== null && now - this.#servedOwnAt >= this.#options.refreshMs + stallMs;
  }

  #highestWith(view: View): bigint {
    const own = highestSlotOf(view.moment, view.all('vault').values());
    const { timesDiscarded } = this.#options.chain;
    if (timesDiscarded === this.#timesDiscarded) return maxOf(this.#follower.highestSlot, own);
    // Earlier slots were false.
    this.#timesDiscarded = timesDiscarded;
    return own;
  }

  #setRole(role: ChainRole): void {
    if (this.#role === role) return;
    this.#role = role;
    this.#options.observer.roleChanged(role);
  }

  async #pause(): Promise<void> {
    await pauseFor(this.#timing.retryMs, this.#stop.signal);
  }
}
