import type { Reserve } from '@sluice/protocol/klend/reserve';
import { basisFlaw, INTEREST_RATE_BASES, type ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { SLOTS_PER_YEAR } from '@sluice/protocol/numeric/compounding';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, ONE, Rational } from '@sluice/protocol/numeric/rational';
import { SluiceError } from '../errors/sluice-error.ts';
import { type Instant, type Moment, SECONDS_PER_YEAR } from './moment.ts';

/** Unit of time in which a reserve accrues: its rates are per this unit, and compound once in it. */
export type InterestRateBasis = (typeof INTEREST_RATE_BASES)[number];

const UNITS_PER_YEAR = { PER_SLOT: SLOTS_PER_YEAR, PER_SECOND: SECONDS_PER_YEAR } as const;
const SLOTS_PER_SECOND = 2n;
/** The slot length that rates per slot assume. */
const NOMINAL_SLOT_MS = Rational.of(500n);
/** Shorter than the slots of any cluster so far: mainnet's took 268 ms in September 2026. */
const SHORTEST_SLOT_MS = Rational.of(200n);
const MS_PER_SECOND = 1_000n;

/**
 * @throws ACCOUNT_MALFORMED for any other basis, which the decoder refuses already: no rate of such a reserve is known
 */
export function interestRateBasis(config: ReserveConfig): InterestRateBasis {
  const basis = INTEREST_RATE_BASES[config.interestRateBasis];
  if (basis !== undefined) return basis;
  throw new SluiceError('ACCOUNT_MALFORMED', { account: 'Reserve', reason: basisFlaw(config) ?? '' });
}

/** Slots of 500 ms or seconds in a year of 365 days. */
export function unitsPerYear(config: ReserveConfig): bigint {
  return UNITS_PER_YEAR[interestRateBasis(config)];
}

/**
 * Slots or seconds since the last refresh, never below 0. A refresh by a program before klend 1.25 left no time: the next
 * one only sets it, so nothing accrues in between.
 */
export function unitsElapsed({ config, lastUpdate }: Reserve, { slot, timestamp }: Instant): bigint {
  if (interestRateBasis(config) === 'PER_SLOT') return atLeastZero(slot - lastUpdate.slot);
  return lastUpdate.timestamp === 0 ? 0n : atLeastZero(timestamp - BigInt(lastUpdate.timestamp));
}

/** The units that the program expects in a number of seconds ahead, whatever the length of slots. */
export function unitsInSeconds(config: ReserveConfig, seconds: bigint): bigint {
  return interestRateBasis(config) === 'PER_SLOT' ? seconds * SLOTS_PER_SECOND : seconds;
}

/** The most units that may pass in a number of seconds of real time. */
export function unitsWithin(config: ReserveConfig, seconds: bigint, moment: Moment): bigint {
  return interestRateBasis(config) === 'PER_SECOND' ? seconds : slotsWithin(seconds, moment);
}

/**
 * The most slots that may pass in a number of seconds of real time. They count by their measured length; until it is known,
 * they count as short as they may become.
 */
export function slotsWithin(seconds: bigint, { slotDurationMs, slotDurationAssumed }: Moment): bigint {
  const isMeasured = slotDurationAssumed !== true && slotDurationMs.n > 0n;
  return integer(seconds * MS_PER_SECOND)
    .div(isMeasured ? slotDurationMs : SHORTEST_SLOT_MS)
    .ceil();
}

/**
 * Factor by which a year's interest differs from the rate that the reserve states. Rates per slot assume slots of 500 ms,
 * so shorter ones raise it: 1.86 at 268 ms. 1 for rates per second, and while the slot duration is unknown. For displayed
 * rates only; accrual never uses it.
 */
export function displayScale(config: ReserveConfig, { slotDurationMs }: Moment): Rational {
  if (interestRateBasis(config) === 'PER_SECOND' || slotDurationMs.n <= 0n) return ONE;
  return NOMINAL_SLOT_MS.div(slotDurationMs);
}
