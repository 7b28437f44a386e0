import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart } from '../../domain/arithmetic.ts';
import { rolloverFrom } from '../../domain/debt-end.ts';
import { debtTermEnd } from '../../domain/debt-terms.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { type ObligationStats, storedLoanToValue } from '../../domain/obligation-stats.ts';
import { type DebtTermFigures, debtTermFigures, type TermDebt } from '../debt-term-figures.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { change, NO_FIGURES, type Preview, type RolloverFigures } from '../preview.ts';
import { previewPosition } from '../preview-position.ts';
import { isSameReserve, type RollOverAccounts } from './roll-over-accounts.ts';
import type { RollOverOutcome, RollOverSide } from './roll-over-outcome.ts';
import { rollOverWarnings } from './roll-over-warnings.ts';

/** The owner's obligation before and after a rollover, with the debt in both reserves, its end and its settings. */
export function rollOverPreview(
  accounts: RollOverAccounts,
  outcome: RollOverOutcome,
  moment: Moment,
): Preview {
  const { source, target } = accounts;
  const { before, after } = outcome;
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  const sides = isSameReserve(accounts) ? [source] : [source, target];
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    positions: sides.map((side) => previewPosition('DEBT', previewed(side), before, after, moment)),
    debtTerm: termFigures(accounts, outcome, moment),
    rollover: settingsFigures(accounts, outcome),
    warnings: rollOverWarnings(accounts, outcome, moment),
  };
}

function previewed({ request, reserve: { liquidity } }: LendingAccounts) {
  return { address: request.reserve, mint: liquidity.mintPubkey, decimals: Number(liquidity.mintDecimals) };
}

/** Null when the program refuses the rollover and leaves no debt in the target. */
function termFigures(
  accounts: RollOverAccounts,
  { before, after }: RollOverOutcome,
  moment: Moment,
): DebtTermFigures | null {
  const { request, target } = accounts;
  const from = debtOf(before, request.reserve);
  const to = debtOf(after, request.targetReserve);
  return to && debtTermFigures(target.market, from, to, moment);
}

function debtOf({ obligation, reserves }: RollOverSide, address: Address): TermDebt | null {
  const debt = activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === address);
  const reserve = reserves(address)?.accrued;
  return debt === undefined || reserve === undefined ? null : { debt, reserve };
}

/** The settings of the debt that moves, and those of the debt in the target. */
function settingsFigures(
  { request, debt, target }: RollOverAccounts,
  { after, terms }: RollOverOutcome,
): RolloverFigures {
  const to = debtOf(after, request.targetReserve);
  const { config } = target.reserve;
  return {
    reserve: request.targetReserve,
    market: target.request.market,
    termsBefore: debt.fixedTermBorrowRolloverConfig,
    termsAfter: terms,
    endsAt: to && debtTermEnd(config, to.debt),
    rolloverFrom: to && rolloverFrom(target.market, config, to.debt),
  };
}
