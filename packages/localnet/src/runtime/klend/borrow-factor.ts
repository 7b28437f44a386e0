import { ONE_SF, percentSf } from './fraction.ts';
import type { ReserveState } from './reserve-state.ts';

/** Weight of a debt's value against the collateral: at least 1, and exactly 1 in an elevation group. */
export function borrowFactorSf({ config }: ReserveState, inGroup: boolean): bigint {
  const factor = percentSf(config.borrowFactorPct);
  return inGroup || factor < ONE_SF ? ONE_SF : factor;
}
