import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { type DebtEnd, type DebtEndCause, debtEnds } from './debt-end.ts';
import { loanToValueScaled, unhealthyLoanToValueScaled } from './liquidation-bonus.ts';
import { activeBorrows, type PricedReserves } from './obligation.ts';
import type { RefreshedDebt, RefreshedObligation } from './refreshed-obligation.ts';

/** Why the program lets a liquidator repay a debt: the health of the obligation, or the end of the debt. */
export type LiquidationReason = 'UNHEALTHY' | DebtEndCause;

/** A reason, with the end of the debt where that is one. */
export type LiquidationGround = { readonly reason: 'UNHEALTHY' } | EndedDebt;

/** A debt whose end has come. */
export interface EndedDebt {
  readonly reason: DebtEndCause;
  readonly end: DebtEnd;
}

/** Whether the factored debt has reached the liquidation threshold, as the program compares them. */
export function isUnhealthy(obligation: RefreshedObligation): boolean {
  if (obligation.depositedSf === 0n || obligation.factoredSf === 0n) return false;
  return loanToValueScaled(obligation) >= unhealthyLoanToValueScaled(obligation);
}

/**
 * The reason that the program finds first; null when it refuses a liquidation. Deleveraging and orders of the borrower are
 * not covered.
 *
 * @param config of the reserve of the debt
 * @param timestamp Unix seconds
 */
export function liquidationGround(
  obligation: RefreshedObligation,
  market: LendingMarket,
  config: ReserveConfig,
  debt: RefreshedDebt,
  timestamp: bigint,
): LiquidationGround | null {
  if (market.priceTriggeredLiquidationDisabled === 0 && isUnhealthy(obligation))
    return { reason: 'UNHEALTHY' };
  return endedDebt(market, config, debt, timestamp);
}

/** The end for which anyone may liquidate a debt now: a maturity before a term. Null when there is none. */
export function endedDebt(
  market: Parameters<typeof debtEnds>[0],
  config: Parameters<typeof debtEnds>[1],
  debt: Parameters<typeof debtEnds>[2],
  timestamp: bigint,
): EndedDebt | null {
  const ended = debtEnds(market, config, debt).filter(
    ({ liquidatableFrom }) => liquidatableFrom !== null && timestamp >= liquidatableFrom,
  );
  const end = ended.find(({ cause }) => cause === 'MATURITY') ?? ended[0];
  return end === undefined ? null : { reason: end.cause, end };
}

/** Whether anyone may liquidate a debt of an obligation because it has ended, if there is collateral to seize. */
export function hasEndedDebt(
  obligation: Obligation,
  market: LendingMarket,
  reserves: PricedReserves,
  timestamp: bigint,
): boolean {
  return activeBorrows(obligation).some((debt) => {
    const config = reserves(debt.borrowReserve)?.accrued.account.config;
    return config !== undefined && endedDebt(market, config, debt, timestamp) !== null;
  });
}
