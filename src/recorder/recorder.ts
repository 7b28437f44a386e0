import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { Valuation } from '../services/valuation.ts';
import type { Catalogue } from '../store/catalogue/catalogue.ts';
import type { Leadership } from '../store/history/leadership.ts';
import { writeObligationScan } from '../store/history/obligation-scan.ts';
import { type Retention, retain } from '../store/history/retention.ts';
import { bucketOf, HOUR, MINUTE } from '../store/history/steps.ts';
import { writeSnapshot } from '../store/history/write-snapshot.ts';
import type { Database } from '../store/sql.ts';
import { countAllHolders } from './count-holders.ts';
import { obligationsByMarket } from './scan-obligations.ts';
import { type Counts, NOT_COUNTED, takeSnapshot } from './take-snapshot.ts';

export interface RecorderOptions {
  readonly db: Database;
  readonly leadership: Leadership;
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly retention: Retention;
  /** Told what failed; the recorder goes on by itself. */
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onRecorded?: (recorded: Recorded) => void;
}

/** A minute that was written. */
export interface Recorded {
  readonly bucket: Date;
  readonly slot: bigint;
  readonly durationMs: number;
}

/** How a recorder stands. */
export interface RecorderState {
  /** Only one recorder of a database leads; the others wait. */
  readonly leading: boolean;
  /** The sample that was written last; null before the first. */
  readonly lastSampledAt: Date | null;
}

/** How often it looks whether a minute has begun, and whether it may lead. */
const LOOK_MS = 1_000;
/** How often a leader makes sure that it still leads while it has nothing to write. */
const CONFIRM_MS = 15_000;
const AFTER_FAILURE_MS = 5_000;

/**
 * Writes history: the first View of each minute, a scan of all obligations and holders each hour, and the end of what is
 * no longer kept. Time is the cluster's, so a clock of ours that jumps changes nothing.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #hourly: Promise<void> | null = null;
  #fence: bigint | null = null;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #lastSampledAt: Date | null = null;
  #lastHour = Number.NEGATIVE_INFINITY;
  #counts: Counts = NOT_COUNTED;

  constructor(options: RecorderOptions) {
    this.#options = options;
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

  /** Finishes what is being written, then lets another lead. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#hourly;
    await this.#options.leadership.resign();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let pause = LOOK_MS;
      try {
        await this.#look();
      } catch (error) {
        if (isSluiceError(error, 'RECORDER_NOT_LEADER')) this.#fence = null;
        this.#options.onFailure('recording a minute', error);
        pause = AFTER_FAILURE_MS;
      }
      await pauseFor(pause, signal);
    }
  }

  async #look(): Promise<void> {
    const fence = await this.#lead();
    const view = this.#options.chain.views.newest;
    if (fence === null || view === undefined) return;
    const sampledAt = timeOf(view);
    if (isNew(this.#lastSampledAt, sampledAt)) await this.#record(fence, view);
    const hour = bucketOf(sampledAt, HOUR).getTime();
    if (hour > this.#lastHour && this.#hourly === null) {
      this.#hourly = this.#everyHour(fence, view)
        .then(() => {
          this.#lastHour = hour;
        })
        .catch((error: unknown) => this.#options.onFailure('the hourly scan', error))
        .finally(() => {
          this.#hourly = null;
        });
    }
  }

  /** The fence; asked for again now and then, since another may have taken over. */
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
    const accounts = await chain.scanObligations(signal);
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
    await retain(db, fence, retention, sampledAt);
  }
}

const timeOf = (view: View) => new Date(Number(view.moment.timestamp) * 1_000);

function isNew(last: Date | null, sampledAt: Date): boolean {
  return last === null || bucketOf(sampledAt, MINUTE) > bucketOf(last, MINUTE);
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
