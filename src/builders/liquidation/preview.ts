import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { toTokens, valueUsd } from '../../domain/arithmetic.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Liquidation } from '../../domain/liquidation.ts';
import { obligationPositions } from '../../domain/obligation.ts';
import { type ObligationStats, storedLoanToValue } from '../../domain/obligation-stats.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { change, type LiquidationFigures, NO_FIGURES, type Preview, type PreviewAmount } from '../preview.ts';
import type { BuildWarning } from '../warnings.ts';
import type { LiquidationAccounts } from './accounts.ts';
import type { LiquidationOutcome, LiquidationSide } from './outcome.ts';

/** Values of the obligation before and after a liquidation, and what the liquidator pays and receives. */
export function liquidationPreview(
  accounts: LiquidationAccounts,
  outcome: LiquidationOutcome,
  warnings: readonly BuildWarning[],
): Preview {
  const { before, after } = outcome;
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    liquidation: outcome.liquidation && figuresOf(accounts, outcome, outcome.liquidation),
    warnings,
  };
}

function figuresOf(
  accounts: LiquidationAccounts,
  { before, after }: LiquidationOutcome,
  done: Liquidation,
): LiquidationFigures {
  const { repay, withdraw } = accounts;
  const received = done.liquidity - done.fee;
  const left = done.seized - done.redeemed;
  return {
    reason: done.reason,
    bonus: fromScaledFraction(done.bonusSf),
    repaid: inMint(repay, done.repaid),
    received: inMint(withdraw, received),
    collateralTokens:
      left === 0n ? null : { ...inMint(withdraw, left), mint: withdraw.reserve.collateral.mintPubkey },
    protocolFee: inMint(withdraw, done.fee),
    collateral: change(before, after, (side) => depositTokens(accounts, side)),
    debt: change(before, after, (side) => debtTokens(accounts, side)),
    profitUsd: profit(accounts, before, done, received, left),
  };
}

function inMint({ reserve }: LendingAccounts, amount: bigint): PreviewAmount {
  const { mintPubkey, mintDecimals } = reserve.liquidity;
  return { mint: mintPubkey, decimals: Number(mintDecimals), amount };
}

function depositTokens({ request, withdraw }: LiquidationAccounts, side: LiquidationSide): Rational {
  const { deposits } = obligationPositions(side.obligation, withdraw.market, side.reserves);
  const amount = deposits.find(({ reserve }) => reserve === request.withdrawReserve)?.amount ?? ZERO;
  return toTokens(amount, withdraw.reserve.liquidity.mintDecimals);
}

function debtTokens({ request, repay }: LiquidationAccounts, side: LiquidationSide): Rational {
  const { borrows } = obligationPositions(side.obligation, repay.market, side.reserves);
  const amount = borrows.find(({ reserve }) => reserve === request.repayReserve)?.amount ?? ZERO;
  return toTokens(amount, repay.reserve.liquidity.mintDecimals);
}

/** Value received less value paid. Collateral tokens count at their liquidity. */
function profit(
  { request, repay, withdraw }: LiquidationAccounts,
  { reserves }: LiquidationSide,
  { repaid }: Liquidation,
  received: bigint,
  left: bigint,
): Rational | null {
  const [debt, collateral] = [reserves(request.repayReserve), reserves(request.withdrawReserve)];
  if (!debt?.priceUsd || !collateral?.priceUsd) return null;
  const amount = integer(received).add(collateralToLiquidity(collateral.accrued, left));
  const gained = valueUsd(amount, withdraw.reserve.liquidity.mintDecimals, collateral.priceUsd);
  return gained.sub(valueUsd(integer(repaid), repay.reserve.liquidity.mintDecimals, debt.priceUsd));
}
