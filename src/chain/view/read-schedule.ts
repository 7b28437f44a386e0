import { KINDS, type Kind } from './kinds.ts';

/** Whole accounts are read this many times less often than vaults: heads and announcements reveal most changes. */
export const WHOLE_FACTOR = 8;
/** With a stream of all accounts, what finds missed changes is repeated this many times less often. */
const STREAM_FACTOR = 10;

/**
 * Accounts that a refresh reads. `whole` reads whole accounts, `reserves` and `vaults` heads where a kind has one, `new` only
 * accounts that have not been read yet.
 */
export type Round = 'reserves' | 'vaults' | 'whole' | 'new';

export const KINDS_OF: { readonly [R in Round]: readonly Kind[] } = {
  reserves: ['reserve', 'oracle'],
  vaults: ['reserve', 'oracle', 'market', 'vault', 'farm'],
  whole: KINDS,
  new: [],
};
/** Kinds for which a round runs. While all of them are announced, the others of its row wait for `whole`. */
const DRIVEN_BY = { vaults: ['vault'] } as const satisfies Partial<Record<Round, readonly Kind[]>>;

export interface ReadIntervals {
  readonly viewRefreshMs: number;
  readonly vaultRefreshMs: number;
  readonly discoveryIntervalMs: number;
}

/** What is known when a refresh begins. */
export interface ReadState {
  /** Kinds of which a connected source announces every change. */
  readonly announcedKinds: ReadonlySet<Kind>;
  /** Whether a stream delivers all accounts. */
  readonly isStreamed: boolean;
}

/** Decides which reads are due. Times are those of `performance.now()`. */
export class ReadSchedule {
  readonly #intervals: ReadIntervals;
  #discoveredAt = Number.NEGATIVE_INFINITY;
  #vaultsAt = Number.NEGATIVE_INFINITY;
  #wholeAt = Number.NEGATIVE_INFINITY;
  /** Whole reads requested and completed so far. */
  #wholeRequested = 0;
  #wholeDone = 0;

  constructor(intervals: ReadIntervals) {
    this.#intervals = intervals;
  }

  requestDiscovery(): void {
    this.#discoveredAt = Number.NEGATIVE_INFINITY;
  }

  requestWhole(): void {
    this.#wholeRequested += 1;
  }

  /** The count of whole reads that one that begins now fulfils. */
  get wholeRequested(): number {
    return this.#wholeRequested;
  }

  get isWholeRequested(): boolean {
    return this.#wholeRequested > this.#wholeDone;
  }

  isDiscoveryDue({ isStreamed }: ReadState, now: number): boolean {
    const factor = isStreamed ? STREAM_FACTOR : 1;
    return this.#isDue(this.#discoveredAt, this.#intervals.discoveryIntervalMs * factor, now);
  }

  roundDue({ announcedKinds, isStreamed }: ReadState, now: number): Round {
    const { vaultRefreshMs } = this.#intervals;
    const wholeMs = vaultRefreshMs * WHOLE_FACTOR * (isStreamed ? STREAM_FACTOR : 1);
    if (this.isWholeRequested || this.#isDue(this.#wholeAt, wholeMs, now)) return 'whole';
    if (isStreamed) return 'new';
    const isPolled = DRIVEN_BY.vaults.some((kind) => !announcedKinds.has(kind));
    return isPolled && this.#isDue(this.#vaultsAt, vaultRefreshMs, now) ? 'vaults' : 'reserves';
  }

  discovered(now: number): void {
    this.#discoveredAt = now;
  }

  /** Records a round that began at `now`; `requested` is `wholeRequested` of that moment. */
  read(round: Round, now: number, requested: number): void {
    if (round === 'vaults' || round === 'whole') this.#vaultsAt = now;
    if (round !== 'whole') return;
    this.#wholeAt = now;
    this.#wholeDone = requested;
  }

  /** Periodic work runs with a refresh: the first one at most half a refresh interval before its pause ends. */
  #isDue(doneAt: number, pauseMs: number, now: number): boolean {
    return now - doneAt >= pauseMs - this.#intervals.viewRefreshMs / 2;
  }
}
