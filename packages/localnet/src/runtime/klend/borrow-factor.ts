import { ONE_SF, percentSf } from './fraction.ts';
import type { ReserveState } from './reserve-state.ts';

/** What a debt's value counts against the collateral: at least once, and exactly once in an elevation group. */
export function borrowFactorSf({ config }: ReserveState, inGroup: boolean): bigint {
  const factor = percentSf(config.borrowFactorPct);
  return inGroup || factor < ONE_SF ? ONE_SF : factor;
}
