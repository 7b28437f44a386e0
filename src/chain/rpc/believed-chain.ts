import type { ChainClaim } from './chain-claim.ts';
import { RisingValue } from './rising-value.ts';

/** Twice as fast as the protocol's target of 400 ms. */
const SLOT_LIMITS = { credit: 32, perSecond: 5 };
/** The clock of a cluster may catch up, and is counted in whole seconds. */
const TIME_LIMITS = { credit: 60, perSecond: 2 };
/** Endpoints this close are at the same slot. */
export const SAME_SLOTS = 64;
const SAME_SECONDS = 60;
/** A slot takes no longer than this in the clock of the cluster. */
const MAX_SECONDS_PER_SLOT = 2;
/** An hour of slots. Two endpoints this close differ by lag, not by a lie: the newer is believed. */
const LAG_OF_TWO_SLOTS = 9_000;
/** How long a lone endpoint must repeat a claim that contradicts what was known. */
export const INSISTENCE_MS = 30_000;
/** How long all endpoints must be behind the believed slot before it is abandoned. */
export const GIVE_UP_MS = 120_000;

export interface BelievedChainOptions {
  /** Milliseconds. Includes the time for which the machine was suspended. */
  readonly now: () => number;
  /** Whether a lone endpoint may jump: test validators can warp to any slot. */
  readonly allowsWarp: boolean;
}

/**
 * The slot and time of the chain, as far as the gateway believes its endpoints. A claim is believed when it follows from
 * the last one by elapsed time, or when most of the endpoints agree with it.
 */
export class BelievedChain {
  readonly #options: BelievedChainOptions;
  #slot: RisingValue | null = null;
  #time: RisingValue | null = null;
  /** Whether more than one endpoint has agreed. */
  #vouched = false;
  #insistedSinceMs: number | null = null;
  #contestedSinceMs: number | null = null;

  constructor(options: BelievedChainOptions) {
    this.#options = options;
  }

  /** Null before the first claim. */
  get slot(): number | null {
    return this.#slot?.value ?? null;
  }

  get isVouched(): boolean {
    return this.#vouched;
  }

  /** Whether the claim follows from what is believed. */
  allows({ slot, time }: ChainClaim): boolean {
    const now = this.#options.now();
    if (this.#slot === null || !this.#slot.allows(slot, now)) return false;
    if (time === null) return true;
    if (this.#time === null || !this.#time.allows(time, now)) return false;
    const lagSlots = Math.max(0, this.#slot.value - slot);
    return this.#time.value - time <= SAME_SECONDS + lagSlots * MAX_SECONDS_PER_SLOT;
  }

  /** Records a claim that is believed. */
  advance({ slot, time }: ChainClaim): void {
    const now = this.#options.now();
    this.#slot ??= new RisingValue(slot, now, SLOT_LIMITS);
    this.#slot.raise(slot, now);
    if (time !== null) {
      this.#time ??= new RisingValue(time, now, TIME_LIMITS);
      this.#time.raise(time, now);
    }
    this.#insistedSinceMs = null;
  }

  /** Judges a claim that does not follow, by the claims of other endpoints. Records it when it is believed. */
  judge(claim: ChainClaim, others: readonly ChainClaim[]): boolean {
    const all = others.length + 1;
    const supporters = 1 + others.filter((other) => supports(other, claim)).length;
    if (others.length > 0 && supporters * 2 > all) {
      this.#continueFrom(newestOfMost([claim, ...others]), true);
      return true;
    }
    if (others.length === 0 ? !this.#believesLone(claim) : !this.#isLagOfTwo(claim, others)) return false;
    this.#continueFrom(claim, false);
    return true;
  }

  /** Records that endpoints were asked and whether most of them agree with what is believed. */
  confirm(claims: readonly ChainClaim[]): boolean {
    const slot = this.#slot?.value;
    if (slot === undefined) return false;
    const supporters = claims.filter((claim) => claim.slot >= slot - SAME_SLOTS).length;
    if (supporters > 0) this.#contestedSinceMs = null;
    if (supporters >= 2) this.#vouched = true;
    return supporters * 2 > claims.length;
  }

  /**
   * Decides whether to give up what is believed, because the endpoints have not reached it. At once when only one endpoint
   * ever claimed it and most contradict; otherwise, when none has confirmed it for long. Returns the slot to start from;
   * null when the belief stays.
   */
  giveUp(claims: readonly ChainClaim[]): number | null {
    const slot = this.#slot?.value;
    if (slot === undefined || claims.length === 0 || this.confirm(claims)) return null;
    const against = claims.filter((claim) => claim.slot < slot - SAME_SLOTS).length;
    const isOutvoted = !this.#vouched && against >= 2 && against * 2 > claims.length;
    const now = this.#options.now();
    if (against === claims.length) this.#contestedSinceMs ??= now;
    const isLost = this.#contestedSinceMs !== null && now - this.#contestedSinceMs >= GIVE_UP_MS;
    if (!isOutvoted && !isLost) return null;
    const start = newestOfMost(claims);
    this.#slot = null;
    this.#continueFrom(start, claims.length > 1);
    return start.slot;
  }

  /** Jumps to a claim. The slot never goes back here: only `giveUp` does that, and reports it. */
  #continueFrom(claim: ChainClaim, vouched: boolean): void {
    const slot = this.#slot?.value;
    if (slot === undefined || claim.slot > slot) {
      this.#slot = null;
      this.#vouched = vouched;
      this.#contestedSinceMs = null;
    }
    if (claim.time !== null) this.#time = null;
    this.advance(claim);
  }

  #believesLone({ slot }: ChainClaim): boolean {
    const now = this.#options.now();
    if (this.#slot === null || this.#options.allowsWarp) return true;
    if (this.#time === null && this.#slot.allows(slot, now)) return true;
    this.#insistedSinceMs ??= now;
    return now - this.#insistedSinceMs >= INSISTENCE_MS;
  }

  /** Two endpoints cannot outvote each other. */
  #isLagOfTwo({ slot, time }: ChainClaim, others: readonly ChainClaim[]): boolean {
    const [other] = others;
    if (other === undefined || others.length > 1) return false;
    const ahead = slot - (this.#slot?.value ?? other.slot);
    if (ahead > LAG_OF_TWO_SLOTS) return false;
    const late = time === null || other.time === null ? 0 : Math.abs(time - other.time);
    return late <= SAME_SECONDS + Math.abs(slot - other.slot) * MAX_SECONDS_PER_SLOT;
  }
}

/** Whether an endpoint's own claim agrees with the claim of another, which may be older but not newer. */
function supports(own: ChainClaim, claim: ChainClaim): boolean {
  if (own.slot < claim.slot - SAME_SLOTS) return false;
  if (own.time === null || claim.time === null) return true;
  const lagSlots = Math.max(0, own.slot - claim.slot);
  return (
    claim.time - own.time <= SAME_SECONDS &&
    own.time - claim.time <= SAME_SECONDS + lagSlots * MAX_SECONDS_PER_SLOT
  );
}

/** The newest claim that most of the endpoints have reached. */
function newestOfMost(claims: readonly ChainClaim[]): ChainClaim {
  const newestFirst = [...claims].sort((a, b) => b.slot - a.slot);
  const chosen = newestFirst[Math.floor(claims.length / 2)] ?? newestFirst[0];
  if (chosen === undefined) throw new RangeError('there is no claim');
  return chosen;
}
