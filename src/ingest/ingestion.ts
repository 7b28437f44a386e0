import { type Clock, systemClock } from '@sluice/rpc-pool';
import { abandonOn } from '@sluice/rpc-pool/abort';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { type CodedError, isCodedError, SluiceError } from '../errors/sluice-error.ts';
import type { SlotLimits } from '../node/fair-slots.ts';
import { growingLru } from '../node/growing-lru.ts';
import { readCursors, type StoredCursor } from '../store/transactions/cursors.ts';
import type { AddressRun } from './address-run.ts';
import { FinalizedSlot } from './finalized-slot.ts';
import { IngestTask, type IngestTaskOptions, NotWanted, type ReadAddressOptions } from './ingest-task.ts';
import { ReadSlots } from './read-slots.ts';
import { FOLLOWER, requestBy } from './reader.ts';
import { type CallPayments, type IngestSource, UNPAID } from './source.ts';
import { type AddressProgress, type IngestStatus, NO_PROGRESS, statusOf } from './status.ts';
import { Subscribers } from './subscribers.ts';

/** Whose limit turned a request away. */
export type LimitOwner = 'caller' | 'gateway';

export interface IngestionOptions {
  readonly source: IngestSource;
  /** Called when reading fails in the background; the next request for the address tries again. */
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onTurnedAway?: ((whose: LimitOwner) => void) | undefined;
  readonly slots?: SlotLimits | undefined;
  /** Addresses read or queued for requests, beyond which a new request is turned away. */
  readonly maxAddresses?: number | undefined;
  /** The same for one caller. A single request may exceed it by the addresses it needs. */
  readonly maxAddressesPerCaller?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly payments?: CallPayments | undefined;
}

export interface EnsureOptions {
  /** The payer of the request, a key or a network. */
  readonly caller: string;
  /** Longest wait of the caller, in milliseconds; reading continues in the background while it has subscribers. */
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

/** An address that is being read. */
export type IngestJob = Pick<IngestTask, 'address' | 'phase' | 'transactions' | 'startedAt'>;

/** An address that is read for requests. */
interface Job {
  readonly task: IngestTask;
  readonly subscribers: Subscribers;
  /** Resolves when the job has ended, whether it succeeded or not. */
  readonly done: Promise<void>;
}

interface Check extends Omit<AddressProgress, 'running' | 'isCurrent'> {
  readonly atMs: number;
  readonly whole: boolean;
}

/** A quarter of the slots is always there for the follower, and a quarter for requests. */
const SLOTS: SlotLimits = { total: 8, perLane: 6, perCaller: 2 };
const MAX_ADDRESSES = 500;
/** As many as the items of the largest page. */
const MAX_ADDRESSES_PER_CALLER = 100;
const MAX_AGE_MS = 2_000;
const CACHED_CHECKS = 20_000;
/**
 * Listing, decoding and storing what a call returns take some milliseconds; a unit is worth 20. By default as many calls
 * are made in a minute for everyone as one caller can pay for.
 */
const CALLS_PER_UNIT = 2;

/**
 * Reads transactions into the store, a few addresses at a time, at the rate the source allows. The follower and
 * requests have separate shares; callers take turns. An address is read for requests once, however many ask, and only
 * while one of them wants it.
 */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #clock: Clock;
  readonly #slots: ReadSlots;
  readonly #finalized: FinalizedSlot;
  readonly #payments: CallPayments;
  /** Jobs that a request can join. */
  readonly #jobs = new Map<Address, Job>();
  /** Everything being read, also for the follower, until it has ended. */
  readonly #tasks = new Map<IngestTask, Promise<void>>();
  readonly #checks = growingLru<Address, Check>(CACHED_CHECKS);
  readonly #stop = new AbortController();
  readonly #listeners = new Set<() => void>();
  /** Batches the statuses of one tick into one statement. */
  readonly #cursors: DataLoader<Address, StoredCursor | null>;
  #finalizedSlot: bigint | null = null;

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#slots = new ReadSlots(options.slots ?? SLOTS);
    this.#finalized = new FinalizedSlot(options.source.transactions, this.#clock);
    this.#payments = options.payments ?? UNPAID;
    this.#cursors = new DataLoader(
      async (addresses) => {
        const cursors = await readCursors(options.source.db, addresses);
        return addresses.map((address) => cursors.get(address) ?? null);
      },
      { cache: false },
    );
  }

  get source(): IngestSource {
    return this.#options.source;
  }

  /** The addresses being read now. */
  progress(): readonly IngestJob[] {
    return [...this.#tasks.keys()];
  }

  /**
   * Brings related addresses up to date within the deadline and continues in the background while it has subscribers.
   * Does not throw when something could not be read; the status reports it.
   *
   * @throws TRANSACTIONS_BUSY
   */
  async ensure(addresses: readonly Address[], options: EnsureOptions): Promise<IngestStatus> {
    const { caller, signal, enough, maxAgeMs = MAX_AGE_MS } = options;
    if (signal?.aborted) return await this.status(addresses);
    const due = addresses.filter((address) => !this.#isFresh(address, maxAgeMs));
    const jobs = this.#join(due, caller);
    const releases = jobs.map(({ subscribers }) => subscribers.subscribe(caller));
    const done = Promise.all(jobs.map((job) => job.done));
    try {
      await withinTime(
        (over) => (enough === undefined ? done : this.#until(addresses, done, enough, over)),
        options,
        this.#clock,
      );
    } finally {
      for (const release of releases) release(signal?.aborted !== true);
    }
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
    if (addresses.some((address) => this.#jobs.get(address)?.task.phase === 'newest')) return false;
    const status = await this.status(addresses);
    return status.syncedSlot !== null && (await enough(status));
  }

  #notifyListeners(): void {
    for (const notify of this.#listeners) notify();
  }

  /** Status of the addresses in the store. Reads nothing from the chain. */
  async status(addresses: readonly Address[]): Promise<IngestStatus> {
    const found = await Promise.all(addresses.map((address) => this.#cursors.load(address)));
    const cursors = new Map(found.flatMap((cursor) => (cursor === null ? [] : [[cursor.address, cursor]])));
    return statusOf(addresses, cursors, (address) => this.#progressOf(address), this.#finalizedSlot);
  }

  /** Reads an address for the follower, even if requests are reading it too. Resolves to whether that succeeded. */
  async follow(address: Address, options: ReadAddressOptions): Promise<boolean> {
    const task = this.#task(address, options, { reader: () => FOLLOWER });
    let hasFailed = false;
    await this.#start(task, () => {
      hasFailed = true;
    });
    return !hasFailed;
  }

  /** Cancels what is being read and waits for the pages being written. */
  async stop(): Promise<void> {
    const reason = new SluiceError('REQUEST_CANCELLED', { what: 'Reading transactions' });
    this.#stop.abort(reason);
    for (const task of this.#tasks.keys()) task.leave(reason);
    await Promise.all(this.#tasks.values());
  }

  /** The jobs of these addresses, new or running. Only new ones can be turned away. */
  #join(due: readonly Address[], caller: string): Job[] {
    if (due.some((address) => !this.#jobs.has(address))) this.#requireRoom(caller);
    return due.map((address) => this.#jobs.get(address) ?? this.#startJob(address, caller));
  }

  #requireRoom(caller: string): void {
    const { maxAddresses = MAX_ADDRESSES, maxAddressesPerCaller = MAX_ADDRESSES_PER_CALLER } = this.#options;
    let own = 0;
    for (const { subscribers } of this.#jobs.values()) if (subscribers.caller === caller) own += 1;
    if (own >= maxAddressesPerCaller) throw this.#turnedAway('caller', maxAddressesPerCaller);
    if (this.#jobs.size >= maxAddresses) throw this.#turnedAway('gateway', maxAddresses);
  }

  #turnedAway(whose: LimitOwner, ceiling: number): CodedError {
    this.#options.onTurnedAway?.(whose);
    return new SluiceError('TRANSACTIONS_BUSY', { whose, ceiling });
  }

  #startJob(address: Address, caller: string): Job {
    const forget = () => {
      if (this.#jobs.get(address) === job) this.#jobs.delete(address);
    };
    // Nobody can join a job that has been left, even if it is still finishing a chunk.
    const leave = () => {
      forget();
      task.leave(new NotWanted());
    };
    const payments = this.#payments;
    const subscribers = new Subscribers(caller, this.#clock, leave, (each) => payments.isOverdrawn(each));
    let calls = 0;
    const task = this.#task(
      address,
      { fence: null, back: true },
      {
        reader: () => requestBy(subscribers.caller),
        checkWanted: () => {
          if (!subscribers.hasPayingSubscriber) leave();
        },
        onCall: () => {
          if (calls % CALLS_PER_UNIT === 0) payments.charge(subscribers.caller, 1);
          calls += 1;
        },
      },
    );
    const onFailed = (failure: string) =>
      this.#recordCheck(address, {
        syncedSlot: task.run.syncedSlot,
        whole: false,
        failure,
        unstored: null,
      });
    const job: Job = { task, subscribers, done: this.#start(task, onFailed).finally(forget) };
    this.#jobs.set(address, job);
    return job;
  }

  #task(
    address: Address,
    options: ReadAddressOptions,
    owner: Pick<IngestTaskOptions, 'reader'> & Partial<Pick<IngestTaskOptions, 'checkWanted' | 'onCall'>>,
  ): IngestTask {
    return new IngestTask({
      checkWanted: () => undefined,
      onCall: () => undefined,
      ...options,
      ...owner,
      address,
      source: this.#options.source,
      slots: this.#slots,
      finalized: this.#finalized,
      signal: this.#stop.signal,
      onNewest: (run) => this.#recordSuccess(address, run),
      onMore: () => this.#notifyListeners(),
    });
  }

  /** Resolves when the task has ended, whether it succeeded or not. */
  #start(task: IngestTask, onFailed: (code: string) => void): Promise<void> {
    if (this.#stop.signal.aborted) task.leave(this.#stop.signal.reason);
    const ended = task
      .read()
      .then(() => this.#recordSuccess(task.address, task.run))
      .catch((error: unknown) => {
        if (error instanceof NotWanted) return;
        onFailed(isCodedError(error) ? error.code : 'INTERNAL');
        if (!this.#stop.signal.aborted) this.#options.onFailure('reading transactions', error);
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.set(task, ended);
    return ended;
  }

  #recordSuccess(address: Address, { syncedSlot, cursor }: AddressRun): void {
    if (syncedSlot !== null && syncedSlot > (this.#finalizedSlot ?? -1n)) this.#finalizedSlot = syncedSlot;
    const unstored = cursor.version === 0 ? cursor : null;
    this.#recordCheck(address, { syncedSlot, whole: cursor.reachedStart, failure: null, unstored });
  }

  #recordCheck(address: Address, check: Omit<Check, 'atMs'>): void {
    const syncedSlot = check.syncedSlot ?? this.#checks.get(address)?.syncedSlot ?? null;
    this.#checks.set(address, { ...check, syncedSlot, atMs: this.#clock.now() });
  }

  #isFresh(address: Address, maxAgeMs: number): boolean {
    const check = this.#checks.get(address);
    return (
      check?.whole === true &&
      check.failure === null &&
      !this.#jobs.has(address) &&
      this.#clock.now() - check.atMs < maxAgeMs
    );
  }

  #progressOf(address: Address): AddressProgress {
    const { syncedSlot, failure, unstored } = this.#checks.get(address) ?? NO_PROGRESS;
    const phase = this.#jobs.get(address)?.task.phase;
    const isCurrent = phase === undefined ? failure === null : phase === 'older';
    return { syncedSlot, failure, unstored, isCurrent, running: phase !== undefined };
  }
}

async function withinTime(
  work: (over: AbortSignal) => Promise<unknown>,
  { deadlineMs, signal }: EnsureOptions,
  clock: Clock,
): Promise<void> {
  const over = new AbortController();
  const unlink = signal && abandonOn(signal, () => over.abort());
  const time = clock.sleep(deadlineMs, over.signal).catch(() => {});
  try {
    await Promise.race([work(over.signal), time]);
  } finally {
    unlink?.();
    over.abort();
  }
}
