import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { ceilScaled, FRACTION_ONE, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { debtTermEnd, fixedTermRolloverWindow, openTermRolloverWindow } from './debt-terms.ts';

/** The end of the debt's own term, or the date on which all debts to its reserve end. */
export type DebtEndCause = 'TERM' | 'MATURITY';

/** The end of a debt, and what others may do about it. Times are Unix seconds. */
export interface DebtEnd {
  readonly cause: DebtEndCause;
  readonly at: bigint;
  /** From when anyone may liquidate the debt, however healthy the obligation is. Null when the market forbids it. */
  readonly liquidatableFrom: bigint | null;
  /** From when one liquidation may settle all of the debt. Null when the market forbids it. */
  readonly wholeFrom: bigint | null;
}

type Switches = Pick<
  LendingMarket,
  | 'matureReserveDebtLiquidationEnabled'
  | 'obligationBorrowDebtTermLiquidationEnabled'
  | 'termBasedFullLiquidationDurationSecs'
>;
type Terms = Pick<ReserveConfig, 'debtTermSeconds' | 'debtMaturityTimestamp'>;
type Debt = Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp'>;

/** The ends of a debt, the earlier one first; none for a debt without an end. */
export function debtEnds(market: Switches, reserve: Terms, debt: Debt): DebtEnd[] {
  const ends: DebtEnd[] = [];
  const termEnd = debtTermEnd(reserve, debt);
  if (termEnd !== null) {
    const isOn = market.obligationBorrowDebtTermLiquidationEnabled !== 0;
    ends.push({
      cause: 'TERM',
      at: termEnd,
      liquidatableFrom: isOn ? termEnd : null,
      wholeFrom: isOn ? termEnd + market.termBasedFullLiquidationDurationSecs : null,
    });
  }
  const maturity = reserve.debtMaturityTimestamp;
  if (maturity !== 0n) {
    const from = market.matureReserveDebtLiquidationEnabled === 0 ? null : maturity;
    ends.push({ cause: 'MATURITY', at: maturity, liquidatableFrom: from, wholeFrom: from });
  }
  return ends.sort((a, b) => (a.at < b.at ? -1 : 1));
}

/**
 * The part of a debt that one liquidation may settle at a time because the debt has ended, with the rounding of the
 * program: all of it after a maturity; after a term, a part that grows until the market's time for it has passed.
 *
 * @param amountSf the debt with its interest, base units in units of 2^-60, as is the result
 * @param timestamp Unix seconds
 */
export function endedDebtScaled(
  end: DebtEnd,
  debt: Pick<ObligationLiquidity, 'borrowedAmountAtExpiration'>,
  amountSf: bigint,
  timestamp: bigint,
): bigint {
  const { at, liquidatableFrom, wholeFrom } = end;
  if (liquidatableFrom === null || wholeFrom === null || timestamp < liquidatableFrom) return 0n;
  if (timestamp >= wholeFrom) return amountSf;
  const atEnd = owedAtTermEnd(debt, amountSf);
  const keptSf = (wholeScaled(atEnd) * (wholeFrom - timestamp)) / (wholeFrom - at);
  return atLeastZero(amountSf - keptSf);
}

/**
 * Base units owed at the end of the term of a debt, as a refresh after that end stores them, unless an earlier one did.
 *
 * @param amountSf the debt with its interest, base units in units of 2^-60
 */
export function owedAtTermEnd(
  { borrowedAmountAtExpiration }: Pick<ObligationLiquidity, 'borrowedAmountAtExpiration'>,
  amountSf: bigint,
): bigint {
  return borrowedAmountAtExpiration === 0n ? ceilScaled(amountSf) : borrowedAmountAtExpiration;
}

/** Whether a debt of this value, in units of 2^-60, is so small that a liquidation must settle all of it. */
export function isLiquidatedWhole(
  { minFullLiquidationValueThreshold }: Pick<LendingMarket, 'minFullLiquidationValueThreshold'>,
  valueSf: bigint,
): boolean {
  return valueSf < minFullLiquidationValueThreshold * FRACTION_ONE;
}

/**
 * From when anyone may roll a debt over, Unix seconds: the earliest of what its owner allows. Null for a debt without a
 * term, without the owner's permission, and when the market has switched rollovers off.
 */
export function rolloverFrom(
  market: Pick<
    LendingMarket,
    'fixedTermRolloverWindowDurationSeconds' | 'openTermRolloverWindowDurationSeconds'
  >,
  reserve: Pick<ReserveConfig, 'debtTermSeconds'>,
  debt: Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp' | 'fixedTermBorrowRolloverConfig'>,
): bigint | null {
  const { fixedTermBorrowRolloverConfig: own } = debt;
  const end = debtTermEnd(reserve, debt);
  if (end === null || own.autoRolloverEnabled === 0) return null;
  const windows = [
    own.minDebtTermSeconds === 0n ? null : fixedTermRolloverWindow(market, own),
    own.openTermAllowed === 0 ? null : openTermRolloverWindow(market),
  ].filter((seconds) => seconds !== null);
  const [first, ...others] = windows;
  if (first === undefined) return null;
  return end - others.reduce((most, seconds) => (seconds > most ? seconds : most), first);
}
