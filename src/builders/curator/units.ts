import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { toBaseUnits } from '../amount.ts';
import { refused } from './refusals.ts';

/** A limit in whole tokens; `none` for no limit, as is 2^64 - 1. */
export type CapInput = Rational | 'none';

/** Base units of an amount that may be 0. @throws AMOUNT_TOO_MANY_DECIMALS or DECIMAL_TO_LAMPORTS_OVERFLOW */
export function unitsOf(tokens: Rational, decimals: number): bigint {
  if (tokens.isZero) return 0n;
  const units = toBaseUnits({ tokens }, { decimals, maxMeansAll: false });
  return units === 'all' ? U64_MAX : units;
}

/** Base units of a cap as the program stores it. */
export function capUnits(cap: CapInput, decimals: number): bigint {
  if (cap === 'none') return U64_MAX;
  if (cap.isZero) return 0n;
  const units = toBaseUnits({ tokens: cap }, { decimals, maxMeansAll: true });
  return units === 'all' ? U64_MAX : units;
}

/** Base units of a cap whose 0 the program takes for none. @throws BUILD_REFUSED for 0 */
export function capUnitsAboveZero(cap: CapInput, decimals: number, what: string): bigint {
  const units = capUnits(cap, decimals);
  if (units > 0n) return units;
  throw refused(`the vault program takes 0 for ${what} as none: pass the smallest unit to stop it, or none`);
}
