import { farmState } from '@sluice/protocol/farms/farm-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructOf } from '@sluice/protocol/layout/struct';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { Moment } from '../../../src/domain/moment.ts';
import { inflate } from './account-vectors.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;

const decode =
  <F extends Fields>(layout: AccountLayout<F>, owner: Address) =>
  (data: string): StructOf<F> =>
    layout.decode({ owner, data: inflate(data) }, owner);

export const decodeReserve = decode(reserve, klend);
export const decodeMarket = decode(lendingMarket, klend);
export const decodeObligation = decode(obligation, klend);
export const decodeVault = decode(vaultState, kvault);
export const decodeFarm = decode(farmState, farms);

/** When a case is evaluated. */
export interface CaseMoment {
  readonly slot: string;
  readonly timestamp: string;
  readonly slotDurationMs: number;
}

export function momentOf({ slot, timestamp, slotDurationMs }: CaseMoment): Moment {
  return { slot: BigInt(slot), timestamp: BigInt(timestamp), slotDurationMs: integer(slotDurationMs) };
}

/** A decimal that the SDK wrote; what it could not divide counts as zero, as it does here. */
export function sdkNumber(text: string): Rational {
  return text === 'NaN' || text.endsWith('Infinity') ? ZERO : parseDecimal(text);
}

/**
 * Asserts |actual - expected| <= 10^-digits x |expected| + more; a zero must be met within 10^-digits.
 *
 * @param more for what the program rounds and the SDK does not
 */
export function expectClose(
  actual: Rational | null,
  expected: string | Rational,
  digits = 12,
  more: Rational = ZERO,
): void {
  if (actual === null) throw new Error('expected a number, got null');
  const wanted = typeof expected === 'string' ? sdkNumber(expected) : expected;
  const scale = wanted.isZero ? integer(1) : wanted.abs();
  const allowed = scale.mul(Rational.of(1n, 10n ** BigInt(digits))).add(more);
  const off = actual.sub(wanted).abs();
  if (off.compare(allowed) > 0) expect(toDecimalString(actual)).toBe(toDecimalString(wanted));
}

/** One step of the program's fractions. */
export const STEP = Rational.of(1n, 1n << 60n);

/**
 * The most that the program's growth factor of a debt is below the exact one of the SDK, as a part of it. The rate per slot
 * loses less than a step of 2^-60 to its division, and less than another to the rounding of the yearly rate; over n slots
 * that is 2n steps. The factor itself and the sums of its terms lose less than one step in each of n slots more.
 */
export function lostGrowth(slots: bigint): Rational {
  return slots <= 0n ? ZERO : STEP.mul(integer(3n * slots + 4n));
}

/**
 * Asserts a yield that the SDK computed in doubles: 1 + rate / 63 million keeps eight digits of the rate, whatever the
 * rate's size.
 */
export function expectSdkYield(actual: Rational | null, expected: string): void {
  if (actual === null) throw new Error('expected a number, got null');
  expectClose(integer(1).add(actual), integer(1).add(sdkNumber(expected)), 7);
}
