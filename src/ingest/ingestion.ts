import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import { abandonOn } from '../chain/rpc/cancellation.ts';
import { systemClock } from '../chain/rpc/clock.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { readCursors } from '../store/transactions/cursors.ts';
import { AddressRun } from './address-run.ts';
import { Places } from './places.ts';
import type { IngestSource } from './source.ts';
import { type AddressNews, type IngestStatus, NO_NEWS, statusOf } from './status.ts';

export interface IngestionOptions {
  readonly source: IngestSource;
  /** Told what failed in the background; ingestion goes on by itself when it is asked again. */
  readonly onFailure: (what: string, error: unknown) => void;
  /** Addresses that are read at a time. */
  readonly concurrentAddresses?: number;
  /** Addresses that are being read or wait for it; more are turned away until some are done, as if out of time. */
  readonly maxAddresses?: number;
}

export interface EnsureOptions {
  /** For how long the caller can wait; what is not read by then goes on in the background. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What was brought up to date within this time counts as new. */
  readonly maxAgeMs?: number | undefined;
  /**
   * Whether what is there will do, asked whenever there is more of it, once the newest transactions are known. Without
   * it everything is waited for.
   */
  readonly enough?: ((known: IngestStatus) => Promise<boolean>) | undefined;
}

export interface ReadAddressOptions {
  readonly fence?: bigint | null | undefined;
  readonly finalizedSlot?: bigint | undefined;
  /** Also what is older than the known part. */
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
  /** Resolves when it is over, however it ended. */
  readonly done: Promise<void>;
  readonly startedAt: Date;
  run: AddressRun | null;
  phase: IngestJob['phase'];
}

interface Check extends AddressNews {
  readonly atMs: number;
  readonly whole: boolean;
}

const CONCURRENT = 6;
const MAX_ADDRESSES = 500;
const MAX_AGE_MS = 2_000;
const CHECKS_KEPT = 20_000;

/** Reads transactions into the store: each address once at a time, a few addresses at a time, at the pace of the source. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #places: Places;
  readonly #jobs = new Map<Address, Job>();
  readonly #checks = new LRUCache<Address, Check>({ max: CHECKS_KEPT });
  readonly #stop = new AbortController();
  readonly #waiting = new Set<() => void>();
  #finalizedSlot: bigint | null = null;

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#places = new Places(options.concurrentAddresses ?? CONCURRENT);
  }

  get source(): IngestSource {
    return this.#options.source;
  }

  /** What is being read now, for people. */
  progress(): readonly IngestJob[] {
    return [...this.#jobs].map(([address, { phase, startedAt, run }]) => ({
      address,
      phase,
      startedAt,
      transactions: run?.cursor.transactions ?? 0,
    }));
  }

  /**
   * Brings addresses that belong together up to date within the deadline, and goes on in the background with what is
   * left. Never throws for what could not be read: the status tells.
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

  /** Resolves when the jobs are over, or before that when what they have read is enough. */
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
      let told = () => {};
      const more = new Promise<void>((resolve) => {
        told = resolve;
      });
      // From before the look on, so that nothing is missed that is written during it.
      this.#waiting.add(told);
      try {
        if (over || (await this.#isEnough(addresses, enough))) return;
        await Promise.race([ended, more]);
      } finally {
        this.#waiting.delete(told);
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

  #tell(): void {
    for (const told of this.#waiting) told();
  }

  /** What the store has, without reading anything. */
  async status(addresses: readonly Address[]): Promise<IngestStatus> {
    const cursors = await readCursors(this.#options.source.db, addresses);
    return statusOf(addresses, cursors, (address) => this.#newsOf(address), this.#finalizedSlot);
  }

  /** Reads an address, or joins who is reading it. Resolves when that is over, however it ended. */
  read(address: Address, options: ReadAddressOptions): Promise<void> {
    const running = this.#jobs.get(address);
    if (running !== undefined) return running.done;
    if (this.#jobs.size >= (this.#options.maxAddresses ?? MAX_ADDRESSES) || this.#stop.signal.aborted) {
      this.#note(address, { syncedSlot: null, whole: false, failure: 'DEADLINE_EXCEEDED' });
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

  /** Ends what runs after the page that is being written. */
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
      onWritten: () => this.#tell(),
    });
    job.run = run;
    await this.#places.within(() => run.syncHead());
    this.#learn(address, run);
    job.phase = 'older';
    this.#tell();
    // A place is given back after each list, so that a long history does not keep short ones waiting.
    for (let more = back && !run.cursor.reachedStart; more; ) {
      signal.throwIfAborted();
      more = await this.#places.within(() => run.readBack());
    }
    this.#learn(address, run);
  }

  #learn(address: Address, { syncedSlot, cursor }: AddressRun): void {
    if (syncedSlot !== null && syncedSlot > (this.#finalizedSlot ?? -1n)) this.#finalizedSlot = syncedSlot;
    this.#note(address, { syncedSlot, whole: cursor.reachedStart, failure: null });
  }

  #failed(address: Address, { run }: Job, error: unknown): void {
    const failure = error instanceof SluiceError ? error.code : 'INTERNAL';
    this.#note(address, { syncedSlot: run?.syncedSlot ?? null, whole: false, failure });
    if (!this.#stop.signal.aborted) this.#options.onFailure('reading transactions', error);
  }

  #note(address: Address, check: Omit<Check, 'atMs' | 'running'>): void {
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

  #newsOf(address: Address): AddressNews {
    return { ...(this.#checks.get(address) ?? NO_NEWS), running: this.#jobs.has(address) };
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
