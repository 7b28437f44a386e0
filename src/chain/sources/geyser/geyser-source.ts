import type { ProgramIds } from '@sluice/protocol/program-ids';
import { systemClock, type Clock as Timer } from '@sluice/rpc-pool';
import { abandonOn } from '@sluice/rpc-pool/abort';
import type { Commitment } from '@solana/kit';
import type { AccountSink, AccountSource } from '../../view/account-source.ts';
import { KINDS } from '../../view/kinds.ts';
import type { View } from '../../view/view.ts';
import type { ViewStore } from '../../view/view-store.ts';
import { FollowedChain } from './followed-chain.ts';
import { PositionLoads } from './position-loads.ts';
import type { PositionScan } from './position-scan.ts';
import { type CheckReader, SpotCheck } from './spot-check.ts';
import type { AccountStream, StreamEndpoint } from './stream-connection.ts';
import type { StreamEvent, StreamState } from './stream-events.ts';
import { faultOf, StreamFault, type StreamFaultReason } from './stream-fault.ts';
import { StreamLinks } from './stream-links.ts';
import { streamedKinds } from './streamed-kinds.ts';
import { subscriptionTo } from './subscription.ts';

export interface GeyserSourceOptions {
  /** The first usable one is followed. None: the source does nothing. */
  readonly endpoints: readonly StreamEndpoint[];
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  readonly views: ViewStore;
  readonly scan: Pick<PositionScan, 'all' | 'added'>;
  /** Reads what is compared with the stream. */
  readonly reader: CheckReader;
  /** Whether the chain can be at a slot. Absent: every slot is trusted. */
  readonly isReached?: (slot: bigint, signal: AbortSignal) => Promise<boolean>;
  readonly onEvent?: (event: StreamEvent) => void;
  readonly timing?: Partial<StreamTiming>;
  readonly timer?: Timer;
}

export interface StreamTiming {
  /** Time without a new slot after which Views are polled again. */
  readonly stallMs: number;
  /** Pause after the first connection that failed. It doubles with each. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Time for which an endpoint that was false is not used. */
  readonly distrustMs: number;
  readonly reconcileMs: number;
  /** Pause between two comparisons of some accounts with the RPC. */
  readonly checkMs: number;
}

const TIMING: StreamTiming = {
  stallMs: 5_000,
  firstPauseMs: 250,
  longestPauseMs: 30_000,
  distrustMs: 300_000,
  reconcileMs: 6 * 3_600_000,
  checkMs: 30_000,
};

const FIRST_VIEW_MS = 60_000;

/** What is followed and loaded until it is lost. */
interface Followed {
  readonly chain: FollowedChain;
  readonly loads: PositionLoads;
  readonly check: SpotCheck;
  readonly end: AbortController;
}

/** A change of the subscription that is under way. */
interface Renewal {
  /** Links before the oldest change that has not been loaded. */
  readonly before: StreamLinks;
  /** Id of the ping after which the server has the new subscription; null when it has. */
  readonly ping: number | null;
}

/** Delivers all accounts of Views from a Geyser stream. Without it, they are polled. */
export class GeyserSource implements AccountSource {
  readonly kinds = KINDS;
  readonly #options: GeyserSourceOptions;
  readonly #timing: StreamTiming;
  readonly #timer: Timer;
  readonly #distrustedUntil = new Map<StreamEndpoint, number>();
  #stop = new AbortController();
  #sink: AccountSink | null = null;
  #running: Promise<unknown> = Promise.resolve();
  #connected = false;
  #followed: Followed | null = null;
  /** Ends the connection that is in use. */
  #connection: AbortController | null = null;
  #endpoint: StreamEndpoint | null = null;
  #isResuming = false;
  #progressAt = 0;
  #pauseMs: number;
  #renewal: Renewal | null = null;
  #pings = 0;
  #reloads = 0;
  #lagMs: number | null = null;
  #lastFault: StreamFaultReason | null = null;

  constructor(options: GeyserSourceOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#timer = options.timer ?? systemClock;
    this.#pauseMs = this.#timing.firstPauseMs;
  }

  /** Stays so while a connection that ended is resumed in time. */
  get connected(): boolean {
    return this.#connected;
  }

  get state(): StreamState {
    const isLoaded = this.#followed?.loads.isLoaded ?? false;
    const delivering = this.#isResuming ? 'resuming' : isLoaded ? 'streaming' : 'loading';
    return {
      status: this.#connected ? delivering : 'disconnected',
      endpoint: this.#endpoint?.name ?? null,
      slot: this.#followed?.chain.delivered ?? null,
      lagMs: this.#lagMs,
      reloads: this.#reloads,
      lastFault: this.#lastFault,
    };
  }

  start(sink: AccountSink): void {
    this.#stop = new AbortController();
    if (this.#options.endpoints.length === 0) return;
    this.#sink = sink;
    this.#running = Promise.all([this.#run(sink), this.#watch(sink)]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#sink = null;
  }

  /** Begins anew with the stream, because it may have been followed on the word of endpoints that were false. */
  reload(): void {
    if (this.#sink !== null && !this.#stop.signal.aborted) this.#abandon('VIEWS_DISCARDED', this.#sink);
  }

  /** Ends the connection, and what it continued. */
  #abandon(reason: StreamFaultReason, sink: AccountSink): void {
    this.#connection?.abort(new StreamFault(reason));
    if (this.#connected) this.#lose(reason, sink);
  }

  async #run(sink: AccountSink): Promise<void> {
    const { signal } = this.#stop;
    const { views } = this.#options;
    for (let turn = 0; !signal.aborted; ) {
      // The first View names the accounts to follow.
      while (views.newest === undefined && !signal.aborted) await views.first(FIRST_VIEW_MS, signal);
      if (signal.aborted) break;
      const endpoint = this.#usable(turn);
      if (endpoint !== undefined) {
        const fault = await this.#attempt(endpoint, sink);
        if (signal.aborted) break;
        this.#interrupted(endpoint, fault, sink);
        // The same server may have what follows, but not what is too old for it.
        if (fault.reason !== 'OUT_OF_RANGE') turn = this.#options.endpoints.indexOf(endpoint) + 1;
      }
      const pauseMs = this.#pauseMs;
      this.#pauseMs = Math.min(pauseMs * 2, this.#timing.longestPauseMs);
      await this.#timer.sleep(pauseMs, signal).catch(() => undefined);
    }
    await this.#end(sink);
  }

  /** The next endpoint that is trusted; undefined when none is. */
  #usable(turn: number): StreamEndpoint | undefined {
    const { endpoints } = this.#options;
    const now = this.#timer.now();
    return endpoints
      .map((_, i) => endpoints[(turn + i) % endpoints.length])
      .find((each) => each !== undefined && (this.#distrustedUntil.get(each) ?? 0) <= now);
  }

  /** Follows an endpoint until its connection ends. */
  async #attempt(endpoint: StreamEndpoint, sink: AccountSink): Promise<StreamFault> {
    const connection = new AbortController();
    const unlink = abandonOn(this.#stop.signal, (reason) => connection.abort(reason));
    const wasFollowed = this.#followed !== null;
    this.#connection = connection;
    this.#endpoint = endpoint;
    if (!this.#connected) this.#progressAt = this.#timer.now();
    try {
      await this.#follow(endpoint, sink, connection.signal);
      return new StreamFault('DISCONNECTED');
    } catch (error) {
      const { reason } = connection.signal;
      return reason instanceof StreamFault ? reason : faultOf(error, wasFollowed);
    } finally {
      unlink();
      connection.abort();
      this.#connection = null;
      this.#endpoint = null;
    }
  }

  async #follow(endpoint: StreamEndpoint, sink: AccountSink, signal: AbortSignal): Promise<void> {
    const { programs, commitment, views, isReached } = this.#options;
    const followed = this.#followed ?? this.#begin(sink);
    const { chain } = followed;
    chain.reconnected();
    this.#isResuming = this.#connected;
    if (this.#renewal !== null) this.#renewal = { ...this.#renewal, ping: null };
    const connection = await endpoint.connect();
    const request = subscriptionTo(streamedKinds(programs), chain.links, commitment, chain.resumesAt);
    try {
      const stream = connection.subscribe(request, signal);
      const forget = views.onView((view) => this.#renew(view, chain, stream));
      try {
        for await (const update of stream) {
          signal.throwIfAborted();
          if (update.pong !== null) this.#answered(update.pong.id);
          const before = chain.delivered;
          const slot = chain.receive(update);
          if (slot !== null) {
            if (isReached !== undefined && !(await isReached(slot, signal)))
              throw new StreamFault('IMPLAUSIBLE_SLOT');
            signal.throwIfAborted();
            chain.confirm(slot);
          }
          if (chain.delivered !== before) {
            this.#lagMs = update.createdAt === null ? null : lagOf(update.createdAt);
            this.#progressed(endpoint, followed, sink);
          }
        }
      } finally {
        forget();
      }
    } finally {
      await connection.close();
    }
  }

  #begin(sink: AccountSink): Followed {
    const { programs, commitment, views, scan, reader, onEvent = () => undefined } = this.#options;
    const chain = new FollowedChain({
      sink,
      kinds: streamedKinds(programs),
      links: new StreamLinks(views.current()),
      commitment,
      newest: () => views.newest,
    });
    const end = new AbortController();
    const { reconcileMs, checkMs } = this.#timing;
    const options = { sink, signal: end.signal, onEvent, timer: this.#timer };
    const loads = new PositionLoads(chain, { ...options, scan, reconcileMs });
    const onContradiction = () => this.#abandon('CONTRADICTS_RPC', sink);
    const check = new SpotCheck({ ...options, reader, views, intervalMs: checkMs, onContradiction });
    this.#followed = { chain, end, loads, check };
    return this.#followed;
  }

  #progressed(endpoint: StreamEndpoint, { chain, loads, check }: Followed, sink: AccountSink): void {
    const slot = chain.delivered ?? 0n;
    this.#progressAt = this.#timer.now();
    this.#pauseMs = this.#timing.firstPauseMs;
    if (!this.#connected) {
      this.#connected = true;
      this.#options.onEvent?.({ type: 'CONNECTED', endpoint: endpoint.name, slot });
      // What the catalogue missed is read by the sink.
      sink.connectionChanged();
      void loads.keepLoaded();
      check.start();
    } else if (this.#isResuming) {
      this.#options.onEvent?.({ type: 'RESUMED', endpoint: endpoint.name, slot });
    }
    this.#isResuming = false;
    if (this.#renewal?.ping !== null) return;
    const { before } = this.#renewal;
    this.#renewal = null;
    sink.refreshAllNow();
    loads.loadAdded(before);
  }

  /** Subscribes to what a new View points to. */
  #renew(view: View, chain: FollowedChain, stream: AccountStream): void {
    if (chain.delivered === null || chain.links.covers(view)) return;
    const { programs, commitment } = this.#options;
    const before = this.#renewal?.before ?? chain.links;
    chain.links = new StreamLinks(view);
    stream.update(subscriptionTo(streamedKinds(programs), chain.links, commitment, null));
    this.#pings += 1;
    stream.ping(this.#pings);
    this.#renewal = { before, ping: this.#pings };
  }

  #answered(ping: number): void {
    if (this.#renewal !== null && this.#renewal.ping === ping)
      this.#renewal = { ...this.#renewal, ping: null };
  }

  #interrupted(endpoint: StreamEndpoint, fault: StreamFault, sink: AccountSink): void {
    const { reason } = fault;
    this.#lastFault = reason;
    this.#isResuming = this.#connected;
    this.#options.onEvent?.({ type: 'INTERRUPTED', endpoint: endpoint.name, reason, error: fault.cause });
    if (fault.isFalse) this.#distrustedUntil.set(endpoint, this.#timer.now() + this.#timing.distrustMs);
    // Before the first slot, nothing can be continued.
    if (fault.needsReload || !this.#connected) this.#lose(reason, sink);
  }

  /** Connects anew when no slot arrives, and leaves Views to polling when that does not help. */
  async #watch(sink: AccountSink): Promise<void> {
    const { stallMs } = this.#timing;
    const { signal } = this.#stop;
    const intervalMs = stallMs / 8;
    let replacedAt = Number.NEGATIVE_INFINITY;
    let wokenAt = this.#timer.now();
    while (!signal.aborted) {
      await this.#timer.sleep(intervalMs, signal).catch(() => undefined);
      const now = this.#timer.now();
      // While this process did not run, slots may have arrived that it has yet to read.
      this.#progressAt += Math.max(0, now - wokenAt - 2 * intervalMs);
      wokenAt = now;
      const stalledMs = now - this.#progressAt;
      if (signal.aborted || stalledMs < stallMs / 2) continue;
      // A replay may have the slot that is missing.
      if (this.#connected && replacedAt < this.#progressAt) {
        replacedAt = this.#timer.now();
        this.#connection?.abort(new StreamFault('STALLED'));
      }
      if (stalledMs < stallMs) continue;
      this.#abandon('STALLED', sink);
    }
  }

  #lose(reason: StreamFaultReason, sink: AccountSink): void {
    this.#followed?.end.abort();
    this.#followed = null;
    this.#renewal = null;
    this.#isResuming = false;
    if (!this.#connected) return;
    this.#connected = false;
    this.#reloads += 1;
    this.#lastFault = reason;
    sink.positionsLost();
    sink.connectionChanged();
    this.#options.onEvent?.({ type: 'LOST', reason });
  }

  async #end(sink: AccountSink): Promise<void> {
    const followed = this.#followed;
    followed?.end.abort();
    this.#followed = null;
    this.#renewal = null;
    this.#connected = false;
    await Promise.all([followed?.loads.settled(), followed?.check.settled()]);
    sink.connectionChanged();
  }
}

function lagOf({ seconds, nanos }: { readonly seconds: bigint; readonly nanos: number }): number {
  return Math.max(0, Date.now() - Number(seconds) * 1_000 - nanos / 1_000_000);
}
