import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import type { Catalogue } from '../config/catalogue/catalogue.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { pauseFor } from '../node/pause-for.ts';
import { Valuation } from '../services/tokens/valuation.ts';
import { writeObligationScan } from '../store/history/obligation-scan.ts';
import { clusterPoints } from '../store/history/point-clustering.ts';
import { applyRetention, type Retention } from '../store/history/retention.ts';
import { bucketOf, HOUR, MINUTE } from '../store/history/time-buckets.ts';
import { writeSnapshot } from '../store/history/write-snapshot.ts';
import type { Leadership } from '../store/leases/leadership.ts';
import type { Database } from '../store/sql.ts';
import { countAllHolders } from './count-holders.ts';
import { obligationsByMarket } from './scan-obligations.ts';
import { type Counts, NOT_COUNTED, takeSnapshot } from './take-snapshot.ts';

/** The parts of the chain that the recorder uses. */
export interface RecordedChain extends Pick<Chain, 'scanObligations' | 'countHolders'> {
  readonly views: Pick<Chain['views'], 'newest'>;
}

export interface RecorderOptions {
  readonly db: Database;
  readonly leadership: Leadership;
  readonly chain: RecordedChain;
  readonly catalogue: Catalogue;
  readonly retention: Retention;
  /** Called on failures; the recorder continues on its own. */
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onRecorded?: (recorded: Recorded) => void;
  readonly intervals?: RecorderIntervals;
}

/** In milliseconds. */
export interface RecorderIntervals {
  /** Between checks for a new minute and for leadership. */
  readonly poll: number;
  readonly afterFailure: number;
  /** Before a failed hourly scan is retried; scans are expensive for an RPC node. */
  readonly afterFailedScan: number;
}

/** A minute that was written. */
export interface Recorded {
  readonly bucket: Date;
  readonly slot: bigint;
  readonly durationMs: number;
}

/** The state of a recorder. */
export interface RecorderState {
  /** Only one recorder per database leads; the others wait. */
  readonly leading: boolean;
  /** Time of the last written sample; null before the first. */
  readonly lastSampledAt: Date | null;
}

const DEFAULT_INTERVALS: RecorderIntervals = { poll: 1_000, afterFailure: 5_000, afterFailedScan: 60_000 };
/** Interval at which a leader without work verifies that it still leads. */
const CONFIRM_MS = 15_000;

/**
 * Writes history: the first View of each minute; and every hour a scan of all obligations and holders, the
 * deletion of expired points and the rewriting of complete days in key order. Uses the cluster's time, so
 * jumps of the local clock do not matter; if the cluster's clock jumps, each minute it reports is recorded
 * once.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #intervals: RecorderIntervals;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #hourly: Promise<void> | null = null;
  #fence: bigint | null = null;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #lastSampledAt: Date | null = null;
  /** The hour of the last scan, in milliseconds. */
  #lastHour = Number.NaN;
  #scanAgainAt = Number.NEGATIVE_INFINITY;
  #counts: Counts = NOT_COUNTED;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#intervals = options.intervals ?? DEFAULT_INTERVALS;
    options.leadership.onLoss(() => {
      this.#fence = null;
    });
  }

  state(): RecorderState {
    return { leading: this.#fence !== null, lastSampledAt: this.#lastSampledAt };
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Finishes the current write, then gives up leadership. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#hourly;
    await this.#options.leadership.resign();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let pause = this.#intervals.poll;
      try {
        await this.#poll();
      } catch (error) {
        this.#fail('recording a minute', error);
        pause = this.#intervals.afterFailure;
      }
      await pauseFor(pause, signal);
    }
  }

  async #poll(): Promise<void> {
    const fence = await this.#lead();
    const view = this.#options.chain.views.newest;
    if (fence === null || view === undefined) return;
    const sampledAt = timeOf(view);
    if (isNew(this.#lastSampledAt, sampledAt)) await this.#record(fence, view);
    const hour = bucketOf(sampledAt, HOUR).getTime();
    if (this.#hourly !== null || !this.#isScanDue(hour)) return;
    this.#hourly = this.#everyHour(fence, view)
      .then(() => {
        this.#lastHour = hour;
      })
      .catch((error: unknown) => {
        this.#scanAgainAt = performance.now() + this.#intervals.afterFailedScan;
        this.#fail('the hourly scan', error);
      })
      .finally(() => {
        this.#hourly = null;
      });
  }

  /**
   * A clock that jitters around the start of an hour does not trigger another scan; one that went far back
   * does.
   */
  #isScanDue(hour: number): boolean {
    const isAnother =
      Number.isNaN(this.#lastHour) || hour > this.#lastHour || hour < this.#lastHour - HOUR_MS;
    return isAnother && performance.now() >= this.#scanAgainAt;
  }

  #fail(what: string, error: unknown): void {
    if (isCodedError(error, 'NOT_LEADER')) this.#fence = null;
    // Work cut short by stopping has not failed.
    if (!this.#stop.signal.aborted) this.#options.onFailure(what, error);
  }

  /** The fencing token, confirmed periodically because another process may have taken over. */
  async #lead(): Promise<bigint | null> {
    const now = performance.now();
    if (this.#fence !== null && now - this.#confirmedAt < CONFIRM_MS) return this.#fence;
    this.#fence = await this.#options.leadership.tryLead();
    this.#confirmedAt = now;
    return this.#fence;
  }

  async #record(fence: bigint, view: View): Promise<void> {
    const startedAt = performance.now();
    Valuation.of(view, this.#options.catalogue);
    const snapshot = takeSnapshot(view, this.#counts);
    const written = await writeSnapshot(this.#options.db, fence, snapshot);
    this.#lastSampledAt = snapshot.sampledAt;
    if (!written) return;
    this.#options.onRecorded?.({
      bucket: bucketOf(snapshot.sampledAt, MINUTE),
      slot: snapshot.slot,
      durationMs: performance.now() - startedAt,
    });
  }

  async #everyHour(fence: bigint, view: View): Promise<void> {
    const { chain, db, catalogue, retention, onFailure } = this.#options;
    const { signal } = this.#stop;
    Valuation.of(view, catalogue);
    const accounts = await chain.scanObligations(signal, view);
    const scans = obligationsByMarket(view, accounts);
    const sampledAt = timeOf(view);
    for (const [market, scan] of scans) await writeObligationScan(db, fence, market, { sampledAt, ...scan });
    const holders = await countAllHolders(chain, view, signal, (error) =>
      onFailure('counting holders', error),
    );
    this.#counts = {
      holders: new Map([...this.#counts.holders, ...holders]),
      obligations: new Map([...scans].map(([market, { entries }]) => [market, entries.length])),
    };
    // The earlier of the two clocks, so that a clock running ahead neither expires points nor completes a day
    // too early.
    const now = new Date(Math.min(sampledAt.getTime(), Date.now()));
    await applyRetention(db, fence, retention, now);
    await clusterPoints(db, fence, now);
  }
}

const timeOf = (view: View) => new Date(Number(view.moment.timestamp) * 1_000);

const HOUR_MS = HOUR * 1_000;

/**
 * A minute before the last one is new too: otherwise, after a jump ahead, nothing would be recorded until
 * time caught up.
 */
function isNew(last: Date | null, sampledAt: Date): boolean {
  return last === null || bucketOf(sampledAt, MINUTE).getTime() !== bucketOf(last, MINUTE).getTime();
}
