import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { loanToValueScaled, unhealthyLoanToValueScaled } from '../../domain/liquidation-bonus.ts';
import type { RefreshedObligation } from '../../domain/refreshed-obligation.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { LendingState } from './accounts.ts';
import { type CombinedHalf, leftBy } from './combined-half.ts';
import type { LendingOutcome } from './preview.ts';

/** Messages for limits on the obligation that an instruction of two halves leaves. Percentages are of the LTV. */
export interface LimitMessages {
  readonly zeroLtv: string;
  readonly lowerLtv: (symbol: string, lowestPct: number, ownPct: number) => string;
  readonly rises: (before: string, after: string) => string;
  readonly unhealthy: (after: string) => string;
}

/** Limits on the obligation that remains, which the program checks in this order. A closed one has none. */
export function combinedLimits(
  before: RefreshedObligation | null,
  withdraw: CombinedHalf<LendingState>,
  messages: LimitMessages,
): BuildWarning[] {
  const after = leftBy(withdraw);
  if (before === null || after === null || after.deposits.length + after.debts.length === 0) return [];
  const lowestPct = Math.min(...after.deposits.map(({ ltvPct }) => ltvPct));
  const { symbol, reserve } = withdraw.accounts;
  const { loanToValuePct } = reserve.config;
  if (after.factoredSf > 0n && lowestPct === 0) return [warning('COLLATERAL_ORDER', messages.zeroLtv)];
  if (after.factoredSf > 0n && lowestPct < loanToValuePct) {
    return [warning('COLLATERAL_ORDER', messages.lowerLtv(symbol, lowestPct, loanToValuePct))];
  }
  if (after.depositedSf === 0n) return [];
  const [ltvBefore, ltvAfter] = [loanToValueScaled(before), loanToValueScaled(after)];
  if (ltvAfter > ltvBefore) {
    return [warning('LTV_WOULD_RISE', messages.rises(percent(ltvBefore), percent(ltvAfter)))];
  }
  if (ltvAfter < unhealthyLoanToValueScaled(after)) return [];
  return [warning('COLLATERAL_TOO_LOW', messages.unhealthy(percent(ltvAfter)))];
}

/** The program judges no LTV of deposits without value. */
export function worthless({ refreshed }: Pick<LendingOutcome, 'refreshed'>, advice: string): BuildWarning[] {
  if (refreshed === null || refreshed.depositedSf > 0n) return [];
  return [warning('COLLATERAL_TOO_LOW', `The deposits of the obligation have no value, ${advice}`)];
}

/** Percent with two decimals, rounded down. */
const percent = (ltvSf: bigint) =>
  toDecimalString(Rational.of(fromScaledFraction(ltvSf).mul(integer(10_000n)).floor(), 100n));
