import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { Moment } from '../../../src/domain/moment.ts';
import { parseDecimal, toDecimalString } from '../../../src/numeric/decimal.ts';
import { integer, Rational, ZERO } from '../../../src/numeric/rational.ts';
import { farmState } from '../../../src/programs/farms/farm-state.ts';
import { lendingMarket } from '../../../src/programs/klend/lending-market.ts';
import { obligation } from '../../../src/programs/klend/obligation.ts';
import { reserve } from '../../../src/programs/klend/reserve.ts';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import type { AccountLayout } from '../../../src/programs/layout/account.ts';
import type { Fields, StructOf } from '../../../src/programs/layout/struct.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
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

/** Asserts |actual - expected| <= 10^-digits x |expected|; a zero must be met within 10^-digits. */
export function expectClose(actual: Rational | null, expected: string | Rational, digits = 12): void {
  if (actual === null) throw new Error('expected a number, got null');
  const wanted = typeof expected === 'string' ? sdkNumber(expected) : expected;
  const scale = wanted.isZero ? integer(1) : wanted.abs();
  const allowed = scale.mul(Rational.of(1n, 10n ** BigInt(digits)));
  const off = actual.sub(wanted).abs();
  if (off.compare(allowed) > 0) expect(toDecimalString(actual)).toBe(toDecimalString(wanted));
}

/**
 * Asserts a yield that the SDK computed in doubles: 1 + rate / 63 million keeps eight digits of the rate, whatever the
 * rate's size.
 */
export function expectSdkYield(actual: Rational | null, expected: string): void {
  if (actual === null) throw new Error('expected a number, got null');
  expectClose(integer(1).add(actual), integer(1).add(sdkNumber(expected)), 7);
}
