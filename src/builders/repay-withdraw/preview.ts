import type { Rational } from '@sluice/protocol/numeric/rational';
import { positivePart } from '../../domain/arithmetic.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { obligationPositions } from '../../domain/obligation.ts';
import { maxLtv, type ObligationStats, storedLoanToValue } from '../../domain/obligation-stats.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { type LendingSide, lendingFees } from '../lending/preview.ts';
import { change, NO_FIGURES, type Preview } from '../preview.ts';
import { type ObligationView, type PositionKind, previewPosition } from '../preview-position.ts';
import type { BuildWarning } from '../warnings.ts';
import type { Combination } from './combination.ts';

/** Values of the obligation before and after both halves, and what the wallet pays and receives. */
export function repayWithdrawPreview(
  { repay, withdraw }: Combination,
  moment: Moment,
  warnings: readonly BuildWarning[],
): Preview {
  const { market } = repay.accounts;
  const viewOf = ({ obligation, reserves, stats }: LendingSide): ObligationView => ({
    reserves,
    stats,
    positions: obligationPositions(obligation, market, reserves),
  });
  const [before, after] = [viewOf(repay.outcome.before), viewOf(withdraw.outcome.after)];
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  const position = (kind: PositionKind, accounts: LendingAccounts) =>
    previewPosition(kind, { address: accounts.request.reserve, ...mintOf(accounts) }, before, after, moment);
  const paid = { ...mintOf(repay.accounts), amount: -repay.outcome.effect.moved };
  const received = { ...mintOf(withdraw.accounts), amount: withdraw.outcome.effect.moved };
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    maxLtv: stats(maxLtv),
    liquidationLtv: stats(({ liquidationLtv }) => liquidationLtv),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    leverage: stats(({ leverage }) => leverage),
    positions: [position('DEBT', repay.accounts), position('DEPOSIT', withdraw.accounts)],
    walletChanges: [paid, received],
    fees: lendingFees(repay.outcome.effect).map((fee) => ({ ...fee, ...mintOf(repay.accounts) })),
    warnings,
  };
}

function mintOf({ reserve }: LendingAccounts) {
  const { mintPubkey: mint, mintDecimals } = reserve.liquidity;
  return { mint, decimals: Number(mintDecimals) };
}
