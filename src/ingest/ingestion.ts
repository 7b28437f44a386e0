import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import { abandonOn } from '../chain/rpc/cancellation.ts';
import { systemClock } from '../chain/rpc/clock.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { readCursors } from '../store/transactions/cursors.ts';
import { AddressRun } from './address-run.ts';
import { Semaphore } from './semaphore.ts';
import type { IngestSource } from './source.ts';
import { type AddressProgress, type IngestStatus, NO_PROGRESS, statusOf } from './status.ts';

export interface IngestionOptions {
  readonly source: IngestSource;
  /** Called when reading fails in the background; the next request for the address tries again. */
  readonly onFailure: (what: string, error: unknown) => void;
  /** Addresses read at a time. */
  readonly concurrentAddresses?: number;
  /**
   * Addresses being read or queued. Beyond this limit new ones are rejected as if their deadline had passed.
   */
  readonly maxAddresses?: number;
}

export interface EnsureOptions {
  /** How long the caller waits; reading continues in the background afterwards. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** An address that was brought up to date within this time counts as current. */
  readonly maxAgeMs?: number | undefined;
  /**
   * Returns whether what is known suffices. Called whenever more is known, once the newest transactions are
   * read. Without it the call waits for everything.
   */
  readonly enough?: ((known: IngestStatus) => Promise<boolean>) | undefined;
}

export interface ReadAddressOptions {
  readonly fence?: bigint | null | undefined;
  readonly finalizedSlot?: bigint | undefined;
  /** Also read transactions older than the known range. */
  readonly back: boolean;
}

/** An address that is being read. */
export interface IngestJob {
  readonly address: Address;
  readonly phase: 'newest' | 'older';
  readonly transactions: number;
  readonly startedAt: Date;
}

interface Job {
  /** Resolves when the job has ended, whether it succeeded or not. */
  readonly done: Promise<void>;
  readonly startedAt: Date;
  run: AddressRun | null;
  phase: IngestJob['phase'];
}

interface Check extends AddressProgress {
  readonly atMs: number;
  readonly whole: boolean;
}

const CONCURRENT_ADDRESSES = 6;
const MAX_ADDRESSES = 500;
const MAX_AGE_MS = 2_000;
const CACHED_CHECKS = 20_000;

/**
 * Reads transactions into the store: one job per address, a few addresses at a time, at the rate the source
 * allows.
 */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #slots: Semaphore;
  readonly #jobs = new Map<Address, Job>();
  readonly #checks = new LRUCache<Address, Check>({ max: CACHED_CHECKS });
  readonly #stop = new AbortController();
  readonly #listeners = new Set<() => void>();
  #finalizedSlot: bigint | null = null;

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#slots = new Semaphore(options.concurrentAddresses ?? CONCURRENT_ADDRESSES);
  }

  get source(): IngestSource {
    return this.#options.source;
  }

  /** The addresses being read now. */
  progress(): readonly IngestJob[] {
    return [...this.#jobs].map(([address, { phase, startedAt, run }]) => ({
      address,
      phase,
      startedAt,
      transactions: run?.cursor.transactions ?? 0,
    }));
  }

  /**
   * Brings related addresses up to date within the deadline and continues in the background after it. Does
   * not throw when something could not be read; the status reports it.
   */
  async ensure(addresses: readonly Address[], options: EnsureOptions): Promise<IngestStatus> {
    const maxAgeMs = options.maxAgeMs ?? MAX_AGE_MS;
    const due = addresses.filter((address) => !this.#isFresh(address, maxAgeMs));
    const jobs = Promise.all(due.map((address) => this.read(address, { back: true })));
    const { enough } = options;
    await withinTime(
      (over) => (enough === undefined ? jobs : this.#until(addresses, jobs, enough, over)),
      options,
    );
    return await this.status(addresses);
  }

  /** Resolves when the jobs have ended, or earlier when what they have read is enough. */
  async #until(
    addresses: readonly Address[],
    jobs: Promise<unknown>,
    enough: (known: IngestStatus) => Promise<boolean>,
    outOfTime: AbortSignal,
  ): Promise<void> {
    let over = false;
    const ended = jobs.then(() => {
      over = true;
    });
    while (!outOfTime.aborted) {
      let notify = () => {};
      const more = new Promise<void>((resolve) => {
        notify = resolve;
      });
      // Registered before the check, so that nothing written during it is missed.
      this.#listeners.add(notify);
      try {
        if (over || (await this.#isEnough(addresses, enough))) return;
        await Promise.race([ended, more]);
      } finally {
        this.#listeners.delete(notify);
      }
    }
  }

  async #isEnough(
    addresses: readonly Address[],
    enough: (known: IngestStatus) => Promise<boolean>,
  ): Promise<boolean> {
    if (addresses.some((address) => this.#jobs.get(address)?.phase === 'newest')) return false;
    const status = await this.status(addresses);
    return status.syncedSlot !== null && (await enough(status));
  }

  #notifyListeners(): void {
    for (const notify of this.#listeners) notify();
  }

  /** What the store has. Reads nothing from the chain. */
  async status(addresses: readonly Address[]): Promise<IngestStatus> {
    const cursors = await readCursors(this.#options.source.db, addresses);
    return statusOf(addresses, cursors, (address) => this.#progressOf(address), this.#finalizedSlot);
  }

  /**
   * Reads an address, or joins a job that is already reading it. Resolves when the job has ended, whether it
   * succeeded or not.
   */
  read(address: Address, options: ReadAddressOptions): Promise<void> {
    const running = this.#jobs.get(address);
    if (running !== undefined) return running.done;
    if (this.#jobs.size >= (this.#options.maxAddresses ?? MAX_ADDRESSES) || this.#stop.signal.aborted) {
      this.#recordCheck(address, { syncedSlot: null, whole: false, failure: 'DEADLINE_EXCEEDED' });
      return Promise.resolve();
    }
    const job: { -readonly [K in keyof Job]: Job[K] } = {
      done: Promise.resolve(),
      startedAt: new Date(),
      run: null,
      phase: 'newest',
    };
    this.#jobs.set(address, job);
    job.done = this.#run(address, job, options)
      .catch((error: unknown) => this.#failed(address, job, error))
      .finally(() => this.#jobs.delete(address));
    return job.done;
  }

  /** Cancels running jobs and waits for the pages being written. */
  async stop(): Promise<void> {
    this.#stop.abort(new SluiceError('REQUEST_CANCELLED', { what: 'Reading transactions' }));
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
  }

  async #run(address: Address, job: Job, options: ReadAddressOptions): Promise<void> {
    const { signal } = this.#stop;
    const { fence = null, finalizedSlot, back } = options;
    const run = new AddressRun(this.#options.source, address, {
      fence,
      finalizedSlot,
      signal,
      onWritten: () => this.#notifyListeners(),
    });
    job.run = run;
    await this.#slots.run(() => run.syncHead());
    this.#recordSuccess(address, run);
    job.phase = 'older';
    this.#notifyListeners();
    // The slot is released after each page, so that a long history does not block short ones.
    for (let more = back && !run.cursor.reachedStart; more; ) {
      signal.throwIfAborted();
      more = await this.#slots.run(() => run.readBack());
    }
    this.#recordSuccess(address, run);
  }

  #recordSuccess(address: Address, { syncedSlot, cursor }: AddressRun): void {
    if (syncedSlot !== null && syncedSlot > (this.#finalizedSlot ?? -1n)) this.#finalizedSlot = syncedSlot;
    this.#recordCheck(address, { syncedSlot, whole: cursor.reachedStart, failure: null });
  }

  #failed(address: Address, { run }: Job, error: unknown): void {
    const failure = error instanceof SluiceError ? error.code : 'INTERNAL';
    this.#recordCheck(address, { syncedSlot: run?.syncedSlot ?? null, whole: false, failure });
    if (!this.#stop.signal.aborted) this.#options.onFailure('reading transactions', error);
  }

  #recordCheck(address: Address, check: Omit<Check, 'atMs' | 'running'>): void {
    const syncedSlot = check.syncedSlot ?? this.#checks.get(address)?.syncedSlot ?? null;
    this.#checks.set(address, { ...check, syncedSlot, running: false, atMs: systemClock.now() });
  }

  #isFresh(address: Address, maxAgeMs: number): boolean {
    const check = this.#checks.get(address);
    return (
      check?.whole === true &&
      check.failure === null &&
      !this.#jobs.has(address) &&
      systemClock.now() - check.atMs < maxAgeMs
    );
  }

  #progressOf(address: Address): AddressProgress {
    return { ...(this.#checks.get(address) ?? NO_PROGRESS), running: this.#jobs.has(address) };
  }
}

async function withinTime(
  work: (over: AbortSignal) => Promise<unknown>,
  { deadlineMs, signal }: EnsureOptions,
): Promise<void> {
  const over = new AbortController();
  const unlink = signal && abandonOn(signal, () => over.abort());
  const time = systemClock.sleep(deadlineMs, over.signal).catch(() => {});
  try {
    await Promise.race([work(over.signal), time]);
  } finally {
    unlink?.();
    over.abort();
  }
}
