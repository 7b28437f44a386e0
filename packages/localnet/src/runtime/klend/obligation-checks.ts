import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import type { Clock } from '../program.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';

/** The obligation must have been refreshed in this slot with valid prices, and hold deposits of some value. */
export function checkRefreshedWithDeposits(obligation: ObligationState, clock: Clock): void {
  const isFresh = !isStale(obligation.lastUpdate, clock, PRICE_STATUS.all);
  ensure(isFresh, LENDING.obligationStale);
  ensure(obligation.activeDeposits.length > 0, LENDING.obligationDepositsEmpty);
  ensure(obligation.depositedValueSf !== 0n, LENDING.obligationDepositsZero);
}

/** Collateral that counts in elevation groups only backs no debt outside of them. */
export function checkGroupOnlyCollateral({ inGroup, borrowingDisabled }: ObligationState): void {
  ensure(inGroup || !borrowingDisabled, LENDING.borrowingDisabledOutsideElevationGroup);
}

/** A position must be empty or of a minimum value, in USD. */
export function checkMinimumValue(market: LendingMarket, valueSf: bigint): void {
  const isEnough = valueSf === 0n || valueSf >= market.minNetValueInObligationSf;
  ensure(isEnough, LENDING.netValueRemainingTooSmall);
}
