import type { View } from '../chain/view/view.ts';
import type { ChainRole, FedChain, ViewFeed } from '../chain/view/view-feed.ts';
import { type Deadline, deadlineSignal } from '../node/deadline.ts';
import { pauseFor } from '../node/pause-for.ts';
import { unlessAborted } from '../node/unless-aborted.ts';
import type { Ask } from './ask.ts';
import type { FeedChannel, Lease, Progress } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import type { FeedTiming } from './feed-timing.ts';
import { Follower } from './follower.ts';
import { GrowingPause } from './growing-pause.ts';
import { KnownStates } from './positions-state.ts';
import { highestSlotOf, maxOf, readFrom } from './progress.ts';
import { Publisher } from './publisher.ts';

export interface SharedViewsOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly seal: FeedSeal;
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
/** A reader that loses its lease sooner waits before it competes again: each new reader reads the whole catalogue. */
const SHORT_LEAD_MS = 10_000;
/** Shorter than the grace period, so that a lease that nobody holds makes nobody read alone. */
const MAX_LEAD_PAUSE_MS = 4_000;
const MAX_ASK_PAUSE_MS = 5_000;
/** Longest pause between two attempts to rejoin, as a multiple of the first. */
const MAX_REJOIN_FACTOR = 3;
/** A follower that finds nothing to follow compares its View with its own RPC this often. */
const REVIEW_INTERVAL_MS = 5_000;

/** Views shared over Redis: one process reads the chain, the others follow it. Each one reads for itself without Redis. */
export class SharedViews implements ViewFeed {
  readonly #options: SharedViewsOptions;
  readonly #timing: FeedTiming;
  readonly #follower: Follower;
  readonly #states = new KnownStates();
  readonly #stop = new AbortController();
  readonly #asked = new Set<bigint>();
  readonly #pending = new Set<string>();
  #role: ChainRole = 'follower';
  #publisher: Publisher | null = null;
  #running: Promise<void> = Promise.resolve();
  /** When the feed was last of use. */
  #usefulAt = performance.now();
  #failingSince: number | null = null;
  /** When the last View of our own was served; null before the first of this turn as a reader. */
  #servedOwnAt: number | null = null;
  #timesDiscarded = 0;
  /** False after the chain could not be read, until it can be. */
  #mayLead = true;
  #isProbing = false;
  #reviewAt = 0;
  readonly #leadPause = new GrowingPause({ firstMs: 500, limitMs: MAX_LEAD_PAUSE_MS });
  readonly #askPause: GrowingPause;
  readonly #rejoinPause: GrowingPause;

  constructor(options: SharedViewsOptions) {
    this.#options = options;
    this.#timing = options.timing;
    const { retryMs, rejoinMs } = options.timing;
    this.#askPause = new GrowingPause({ firstMs: retryMs, limitMs: MAX_ASK_PAUSE_MS });
    this.#rejoinPause = new GrowingPause({ firstMs: rejoinMs, limitMs: rejoinMs * MAX_REJOIN_FACTOR });
    this.#follower = new Follower({
      ...options,
      states: this.#states,
      askForPositions: (positions) => this.#askFor({ slot: 0n, snapshot: false, positions }),
    });
  }

  get role(): ChainRole {
    return this.#role;
  }

  get arrivalMs(): number {
    return this.#role === 'standalone' ? 0 : this.#timing.arrivalMs;
  }

  start(): void {
    this.#usefulAt = performance.now();
    const forget = this.#options.chain.views.onView(() => this.#asked.clear());
    this.#running = this.#run().finally(forget);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#follower.stop();
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
      if (isFollowing) this.#usefulAt = performance.now();
      else this.#readAlone({ atOnce: false });
    }
    await this.#options.chain.stopReading();
  }

  /** Leads, follows or tries to. Returns whether the feed is usable. */
  async #turn(): Promise<boolean> {
    const { channel, holder } = this.#options;
    using patience = this.#patience();
    if (!this.#mayLead) this.#probe();
    else if (this.#leadPause.isOver) {
      const acquiring = channel.acquire(holder, this.#follower.highestToken);
      const lease = await unlessAborted(acquiring, patience.signal);
      if (lease !== null) {
        patience[Symbol.dispose]();
        await this.#lead(lease);
        return true;
      }
    }
    if (this.#role === 'standalone') return await this.#rejoin();
    return await this.#follow(patience.signal);
  }

  /** Aborted when a follower has to read for itself, because the feed has been of no use for the grace period. */
  #patience(): Deadline {
    if (this.#role !== 'follower') return { signal: this.#stop.signal, [Symbol.dispose]: () => undefined };
    const graceMs = this.#usefulAt + this.#timing.graceMs - performance.now();
    return deadlineSignal(Math.max(0, graceMs), 'Following the feed', this.#stop.signal);
  }

  async #follow(patience: AbortSignal): Promise<boolean> {
    const { chain, channel } = this.#options;
    if (chain.timesDiscarded !== this.#timesDiscarded) {
      this.#timesDiscarded = chain.timesDiscarded;
      this.#follower.restart();
    }
    if (chain.isUnchecked) this.#reviewSometimes();
    const position = this.#follower.position;
    if (position === null) {
      if (await this.#takeSnapshot(patience)) return true;
      await this.#pause();
      return false;
    }
    const reading = channel.entriesAfter(position, this.#timing.tickMs);
    for (const entry of await unlessAborted(reading, patience)) {
      await this.#follower.apply(entry, patience);
      if (this.#follower.position === null) break;
    }
    if (this.#follower.overdueMs < this.#options.refreshMs + this.#timing.silentMs) return true;
    this.#readAlone({ atOnce: true });
    return false;
  }

  /** Serves the snapshot. If there is none of use, asks for one and finds out whether our own Views are to blame. */
  async #takeSnapshot(signal: AbortSignal): Promise<boolean> {
    if (await this.#follower.takeSnapshot(signal)) {
      this.#askPause.succeeded();
      return true;
    }
    if (this.#askPause.isOver) {
      this.#askPause.failed();
      this.#askFor({ slot: this.#follower.highestSlot, snapshot: true });
    }
    this.#reviewSometimes();
    return false;
  }

  #reviewSometimes(): void {
    const { chain } = this.#options;
    const now = performance.now();
    if (chain.views.newest === undefined || now < this.#reviewAt) return;
    this.#reviewAt = now + REVIEW_INTERVAL_MS;
    const { signal } = this.#stop;
    // A review does not wait for endpoints that failed before; a probe tries them again. An RPC that fails says nothing.
    void chain
      .probe(signal)
      .then(() => chain.review(signal))
      .catch(() => undefined);
  }

  /** Reads the chain for everybody until the lease is lost or given up. */
  async #lead(lease: Lease): Promise<void> {
    const { chain, channel, observer, refreshMs } = this.#options;
    const { token } = lease;
    this.#follower.sawToken(token);
    await chain.stopReading();
    const judged = this.#believable(lease.progress);
    const progress = await channel.holdDuring(token, judged, this.#timing.tickMs);
    const from = readFrom(chain.views.newest, this.#follower.highestSlot, progress);
    const states = this.#states;
    const publisher = new Publisher({ ...this.#options, intervalMs: refreshMs, token, from, states });
    this.#publisher = publisher;
    this.#failingSince = null;
    this.#servedOwnAt = null;
    this.#setRole('reader');
    const leadsSince = performance.now();
    this.#usefulAt = leadsSince;
    let isConnected = false;
    try {
      chain.startReading(from);
      await this.#keepLease(token, publisher);
      isConnected = true;
    } finally {
      await chain.stopReading();
      publisher.stop();
      this.#publisher = null;
      this.#timesDiscarded = chain.timesDiscarded;
      this.#setRole('follower');
      if (performance.now() - leadsSince < SHORT_LEAD_MS) this.#leadPause.failed();
      else this.#leadPause.succeeded();
      // Expires by itself when Redis cannot be reached, which must not delay reading alone.
      const released = channel.release(token).catch((failure: unknown) => observer.failed(failure));
      if (isConnected) await released;
    }
  }

  /** Progress of the last reader, unless the chain cannot have come so far. */
  async #believable(progress: Progress | null): Promise<Progress | null> {
    if (progress === null) return null;
    const { slot, highestSlot, timestamp } = progress;
    const claim = { slot: maxOf(slot, highestSlot), timestamp };
    if (await this.#options.chain.believes(claim, this.#stop.signal)) return progress;
    this.#options.observer.refused('IMPLAUSIBLE');
    return null;
  }

  async #keepLease(token: bigint, publisher: Publisher): Promise<void> {
    const { channel } = this.#options;
    // Request ids are milliseconds, tokens microseconds of one clock. Some requests predate this reader.
    let lastAsk = `${token / 1000n - 3_000n}-0`;
    while (!this.#stop.signal.aborted && !publisher.isLost) {
      if (!(await channel.renew(token))) return;
      this.#usefulAt = performance.now();
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

  async #answer({ slot, snapshot, positions }: Ask, publisher: Publisher): Promise<void> {
    const key = `${slot} ${snapshot} ${positions}`;
    if (this.#pending.has(key) || this.#pending.size >= MAX_PENDING_ASKS) return;
    this.#pending.add(key);
    using deadline = deadlineSignal(ASK_MS, 'Reading for a follower', this.#stop.signal);
    try {
      await this.#options.chain.reach(slot, deadline.signal);
      if (snapshot) await publisher.writeSnapshot();
      if (positions !== undefined) await publisher.writePositions(positions);
    } catch {
      // A follower reports to its clients that the slot was not reached, and asks again for what it did not get.
    } finally {
      this.#pending.delete(key);
    }
  }

  /** Reads for itself once the feed has been of no use for the grace period. */
  #readAlone({ atOnce }: { readonly atOnce: boolean }): void {
    if (this.#stop.signal.aborted || this.#role === 'standalone') return;
    if (!atOnce && performance.now() - this.#usefulAt < this.#timing.graceMs) return;
    this.#setRole('standalone');
    // A View of its own comes first, because it does not read while it tries to rejoin. A newcomer takes what comes first.
    if (this.#options.chain.views.newest !== undefined) this.#rejoinPause.failed();
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
    if (!this.#rejoinPause.isOver) {
      await this.#pause();
      return false;
    }
    await chain.stopReading();
    let hasJoined = false;
    try {
      hasJoined = await this.#caughtUp(performance.now() + this.#timing.rejoinMs);
    } finally {
      if (hasJoined) this.#rejoinPause.succeeded();
      else this.#rejoinPause.failed();
      if (hasJoined) this.#setRole('follower');
      else if (!this.#stop.signal.aborted) this.#startReadingAlone();
    }
    return hasJoined;
  }

  async #caughtUp(giveUpAt: number): Promise<boolean> {
    while (performance.now() < giveUpAt && !this.#stop.signal.aborted) {
      if (await this.#takeSnapshot(this.#stop.signal)) return true;
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
