import { RateBoundedValue } from './rate-bounded-value.ts';
import type { ReportedTip } from './reported-tip.ts';

/** Twice as fast as the protocol's target of 400 ms. */
const SLOT_LIMITS = { credit: 32, perSecond: 5 };
/** The clock of a cluster may catch up, and is counted in whole seconds. */
const TIME_LIMITS = { credit: 60, perSecond: 2 };
/** Endpoints this close are at the same slot. */
export const MAX_SLOT_SPREAD = 64;
const SAME_SECONDS = 60;
/** A slot takes no longer than this in the clock of the cluster. */
const MAX_SECONDS_PER_SLOT = 2;
/** An hour of slots. Two endpoints this close differ by lag alone: the newer is trusted. */
const LAG_OF_TWO_SLOTS = 9_000;
/** A lone endpoint must repeat a claim that contradicts the trusted tip for this long. */
export const LONE_CLAIM_MS = 30_000;
/** All endpoints must be behind the trusted slot for this long before it is abandoned. */
export const ABANDON_AFTER_MS = 120_000;

export interface TrustedTipOptions {
  /** Milliseconds. Includes the time for which the machine was suspended. */
  readonly now: () => number;
  /** Whether a lone endpoint may jump: test validators can warp to any slot. */
  readonly allowsWarp: boolean;
}

/**
 * Slot and time of the chain as far as the gateway trusts its endpoints. A claim is trusted when it follows from the last one
 * by elapsed time, or when most of the endpoints agree with it.
 */
export class TrustedTip {
  readonly #options: TrustedTipOptions;
  #slot: RateBoundedValue | null = null;
  #time: RateBoundedValue | null = null;
  /** Whether more than one endpoint has agreed. */
  #corroborated = false;
  #insistedSinceMs: number | null = null;
  #contestedSinceMs: number | null = null;
  /** Whether the slot comes from another gateway, and no endpoint has been near it since. */
  #isHearsay = false;
  /** Whether the slot comes from another gateway, and no endpoint has answered since. */
  #isUnchecked = false;

  constructor(options: TrustedTipOptions) {
    this.#options = options;
  }

  /** Null before the first claim. */
  get slot(): number | null {
    return this.#slot?.value ?? null;
  }

  get isCorroborated(): boolean {
    return this.#corroborated;
  }

  /** Whether no endpoint has answered since the first slot, which came from another gateway. */
  get isUnchecked(): boolean {
    return this.#isUnchecked;
  }

  /** Whether the claim follows from the trusted tip. */
  allows({ slot, time }: ReportedTip): boolean {
    const now = this.#options.now();
    if (this.#slot === null || !this.#slot.allows(slot, now)) return false;
    if (time === null) return true;
    if (this.#time === null || !this.#time.allows(time, now)) return false;
    const lagSlots = Math.max(0, this.#slot.value - slot);
    return this.#time.value - time <= SAME_SECONDS + lagSlots * MAX_SECONDS_PER_SLOT;
  }

  /** Records a claim of an endpoint that is trusted. */
  advance(claim: ReportedTip): void {
    this.#raise(claim);
    this.#isUnchecked = false;
    if (this.#slot !== null && claim.slot >= this.#slot.value - MAX_SLOT_SPREAD) this.#isHearsay = false;
  }

  #raise({ slot, time }: ReportedTip): void {
    const now = this.#options.now();
    this.#slot ??= new RateBoundedValue(slot, now, SLOT_LIMITS);
    this.#slot.raise(slot, now);
    if (time !== null) {
      this.#time ??= new RateBoundedValue(time, now, TIME_LIMITS);
      this.#time.raise(time, now);
    }
    this.#insistedSinceMs = null;
  }

  /** Records a claim of another gateway that is trusted. */
  hear(claim: ReportedTip, isChecked: boolean): void {
    const before = this.#slot?.value ?? null;
    // The endpoints support a time that does not follow.
    if (!this.allows(claim)) this.#time = null;
    this.#raise(claim);
    if (before === null) this.#isUnchecked = !isChecked;
    if (before === null || claim.slot > before) this.#isHearsay = true;
  }

  /**
   * Whether the endpoints support a claim of another gateway that does not follow. It may be the first one, if no endpoint
   * answers or if it is within the lag that an endpoint may have.
   */
  supportsShared(claim: ReportedTip, others: readonly ReportedTip[]): boolean {
    const isFirst = this.#slot === null;
    if (others.length === 0) return isFirst;
    const supporters = others.filter((other) => supports(other, claim)).length;
    if (supporters * 2 >= others.length) return true;
    const { slot, time } = newestOfMost(others);
    const ahead = claim.slot - slot;
    const lateSeconds = time === null || claim.time === null ? 0 : claim.time - time;
    return (
      isFirst &&
      ahead <= LAG_OF_TWO_SLOTS &&
      lateSeconds <= SAME_SECONDS + Math.max(0, ahead) * MAX_SECONDS_PER_SLOT
    );
  }

  /** Judges a claim that does not follow, by the claims of other endpoints. Records it when it is trusted. */
  judge(claim: ReportedTip, others: readonly ReportedTip[]): boolean {
    const all = others.length + 1;
    const supporters = 1 + others.filter((other) => supports(other, claim)).length;
    if (others.length > 0 && supporters * 2 > all) {
      this.#continueFrom(newestOfMost([claim, ...others]), true);
      return true;
    }
    if (others.length === 0 ? !this.#trustsLone(claim) : !this.#isLagOfTwo(claim, others)) return false;
    this.#continueFrom(claim, false);
    return true;
  }

  /** Records that endpoints were asked and whether most of them agree with the trusted tip. */
  confirm(claims: readonly ReportedTip[]): boolean {
    const slot = this.#slot?.value;
    if (slot === undefined) return false;
    const supporters = claims.filter((claim) => claim.slot >= slot - MAX_SLOT_SPREAD).length;
    if (supporters > 0) {
      this.#contestedSinceMs = null;
      this.#isHearsay = false;
    }
    if (supporters >= 2) this.#corroborated = true;
    return supporters * 2 > claims.length;
  }

  /**
   * Decides whether to abandon the trusted tip, because the endpoints have not reached it. At once when only one endpoint
   * ever claimed it and most contradict, or when another gateway claimed it and all are further behind than they may lag;
   * otherwise, when none has confirmed it for long. Returns the slot to start from; null when the tip stays.
   */
  giveUp(claims: readonly ReportedTip[]): number | null {
    const slot = this.#slot?.value;
    if (slot === undefined || claims.length === 0) return null;
    this.#isUnchecked = false;
    if (this.confirm(claims)) return null;
    const against = claims.filter((claim) => claim.slot < slot - MAX_SLOT_SPREAD).length;
    const isOutvoted = !this.#corroborated && against >= 2 && against * 2 > claims.length;
    const now = this.#options.now();
    if (against === claims.length) this.#contestedSinceMs ??= now;
    const isLost = this.#contestedSinceMs !== null && now - this.#contestedSinceMs >= ABANDON_AFTER_MS;
    const isFalseHearsay = this.#isHearsay && claims.every((claim) => slot - claim.slot > LAG_OF_TWO_SLOTS);
    if (!isOutvoted && !isLost && !isFalseHearsay) return null;
    const start = newestOfMost(claims);
    this.#slot = null;
    this.#continueFrom(start, claims.length > 1);
    return start.slot;
  }

  /** Jumps to a claim. The slot never goes back here: only `giveUp` does that, and reports it. */
  #continueFrom(claim: ReportedTip, corroborated: boolean): void {
    const slot = this.#slot?.value;
    if (slot === undefined || claim.slot > slot) {
      this.#slot = null;
      this.#corroborated = corroborated;
      this.#contestedSinceMs = null;
    }
    if (claim.time !== null) this.#time = null;
    this.advance(claim);
  }

  #trustsLone({ slot }: ReportedTip): boolean {
    const now = this.#options.now();
    if (this.#slot === null || this.#options.allowsWarp) return true;
    if (this.#time === null && this.#slot.allows(slot, now)) return true;
    this.#insistedSinceMs ??= now;
    return now - this.#insistedSinceMs >= LONE_CLAIM_MS;
  }

  /** Two endpoints cannot outvote each other. */
  #isLagOfTwo({ slot, time }: ReportedTip, others: readonly ReportedTip[]): boolean {
    const [other] = others;
    if (other === undefined || others.length > 1) return false;
    const ahead = slot - (this.#slot?.value ?? other.slot);
    if (ahead > LAG_OF_TWO_SLOTS) return false;
    const late = time === null || other.time === null ? 0 : Math.abs(time - other.time);
    return late <= SAME_SECONDS + Math.abs(slot - other.slot) * MAX_SECONDS_PER_SLOT;
  }
}

/** Whether an endpoint's own claim agrees with the claim of another, which may be older but not newer. */
function supports(own: ReportedTip, claim: ReportedTip): boolean {
  if (own.slot < claim.slot - MAX_SLOT_SPREAD) return false;
  if (own.time === null || claim.time === null) return true;
  const lagSlots = Math.max(0, own.slot - claim.slot);
  return (
    claim.time - own.time <= SAME_SECONDS &&
    own.time - claim.time <= SAME_SECONDS + lagSlots * MAX_SECONDS_PER_SLOT
  );
}

/** The newest claim that most of the endpoints have reached. */
function newestOfMost(claims: readonly ReportedTip[]): ReportedTip {
  const newestFirst = [...claims].sort((a, b) => b.slot - a.slot);
  const chosen = newestFirst[Math.floor(claims.length / 2)] ?? newestFirst[0];
  if (chosen === undefined) throw new RangeError('there is no claim');
  return chosen;
}
