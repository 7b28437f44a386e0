import type { Obligation } from '@sluice/protocol/klend/obligation';
import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { apyBreakdown, borrowApyBreakdown } from '../../domain/apy.ts';
import { positivePart, toTokens, valueUsd } from '../../domain/arithmetic.ts';
import { collateralLiquidationPrice, healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { netApy, type PositionApys } from '../../domain/net-apy.ts';
import { obligationPositions, type PricedReserve, type PricedReserves } from '../../domain/obligation.ts';
import { type ObligationStats, obligationStats, storedLoanToValue } from '../../domain/obligation-stats.ts';
import { borrowApy, supplyApy } from '../../domain/rates.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { priceAtRefresh } from '../lending/accounts.ts';
import { presentObligation } from '../lending/effects.ts';
import { lendingFees } from '../lending/preview.ts';
import { obligationReserves, reserveAt } from '../lending/request.ts';
import { change, NO_FIGURES, type Preview, type PreviewFee, type WorstCase } from '../preview.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import type { BuildWarning } from '../warnings.ts';
import type { LeverageAccounts, LeverageSide } from './accounts.ts';
import type { LeverageBuild } from './build.ts';
import { feeOf, flashLoanWarnings } from './flash-loan.ts';
import type { LeverageRequest } from './request.ts';
import { swapWarnings } from './swap-warnings.ts';

/** The obligation and its reserves before or after. */
interface PositionSide {
  readonly reserves: PricedReserves;
  readonly stats: ObligationStats | null;
  /** Base units. */
  readonly deposit: Rational;
  readonly debt: Rational;
  readonly netApy: Rational | null;
  readonly liquidationPriceUsd: Rational | null;
}

/** The accounts before the action, which the sequence then changes. */
export function leveragePreview(build: LeverageBuild, read: ReadAccounts): Preview {
  const { accounts, sequence } = build;
  const { lending, collateral, debt, at } = accounts;
  const last = sequence.parts.at(-1)?.outcome();
  const before = sideOf(accounts, presentObligation(lending), read);
  const after = sideOf(accounts, last?.effect.obligation ?? presentObligation(lending), sequence.read);
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  const rate = (address: Address, of: typeof supplyApy) =>
    change(before, after, ({ reserves }) => rateOf(reserves, address, of, at.moment));
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    supplyApy: rate(collateral.address, supplyApy),
    borrowApy: rate(debt.address, borrowApy),
    tokens: change(before, after, ({ deposit }) => toTokens(deposit, BigInt(collateral.decimals))),
    debtTokens: change(before, after, (side) => toTokens(side.debt, BigInt(debt.decimals))),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    leverage: stats(({ leverage }) => leverage),
    netApy: change(before, after, (side) => side.netApy),
    liquidationPriceUsd: change(before, after, (side) => side.liquidationPriceUsd),
    worstCase: worstCase(build, after),
    fees: fees(build),
    warnings: warnings(build, read),
  };
}

function sideOf(accounts: LeverageAccounts, obligation: Obligation, read: ReadAccounts): PositionSide {
  const { lending, collateral, debt, at, request } = accounts;
  const { market } = lending;
  const addresses = distinct([...obligationReserves(obligation), collateral.address, debt.address]);
  const priced = new Map<Address, PricedReserve>();
  for (const address of addresses) {
    const account = reserveAt(read, address, request.programs.klend);
    const priceUsd = priceAtRefresh(lending, account, at.moment.timestamp)?.usd ?? null;
    priced.set(address, { accrued: refreshReserve(account, at.moment, market), priceUsd });
  }
  const reserves: PricedReserves = (address) => priced.get(address);
  const positions = obligationPositions(obligation, market, reserves);
  const stats = obligationStats(positions);
  const deposit = positions.deposits.find(({ reserve }) => reserve === collateral.address);
  const owed = positions.borrows.find(({ reserve }) => reserve === debt.address);
  return {
    reserves,
    stats,
    deposit: deposit?.amount ?? ZERO,
    debt: owed?.amount ?? ZERO,
    netApy: netApy(positions, positionApys(request, reserves, at.moment)),
    liquidationPriceUsd: stats && deposit ? collateralLiquidationPrice(stats, deposit) : null,
  };
}

/** APYs with rewards, of the reserves in the state of this side. */
function positionApys(
  { rewardApys }: LeverageRequest,
  reserves: PricedReserves,
  moment: Moment,
): PositionApys {
  return {
    supply(address) {
      const state = reserves(address);
      if (state === undefined) return undefined;
      const interest = roundToPublished(supplyApy(state.accrued, moment));
      return apyBreakdown(interest, rewardApys(address, state).supply).total;
    },
    borrow(address) {
      const state = reserves(address);
      if (state === undefined) return undefined;
      const interest = roundToPublished(borrowApy(state.accrued, moment));
      return borrowApyBreakdown(interest, rewardApys(address, state).borrow).total;
    },
  };
}

function rateOf(
  reserves: PricedReserves,
  address: Address,
  of: typeof supplyApy,
  moment: Moment,
): Rational | null {
  const found = reserves(address);
  return found === undefined ? null : of(found.accrued, moment);
}

/** The position is built from the minimum out alone, so its figures are those after; a better swap leaves more in the wallet. */
function worstCase(build: LeverageBuild, after: PositionSide): WorstCase {
  const { accounts, trade } = build;
  const { collateral, debt } = accounts;
  const { stats } = after;
  const wallet = build.wallet();
  const worth = (side: LeverageSide, units: bigint) => {
    const price = after.reserves(side.address)?.priceUsd ?? null;
    return price && valueUsd(integer(units), BigInt(side.decimals), price);
  };
  const [paid, received] = [worth(trade.sold, trade.spent), worth(trade.bought, trade.minOut)];
  return {
    healthFactor: stats && healthFactor(stats),
    loanToValue: stats && storedLoanToValue(stats),
    netValueUsd: stats?.netAccountValue ?? null,
    leverage: stats?.leverage ?? null,
    netApy: after.netApy,
    liquidationPriceUsd: after.liquidationPriceUsd,
    swapLossUsd: paid && received && paid.sub(received),
    walletChanges: [
      { mint: collateral.mint, decimals: collateral.decimals, amount: wallet.collateral },
      { mint: debt.mint, decimals: debt.decimals, amount: wallet.debt },
    ],
  };
}

function fees({ accounts, loan, sequence }: LeverageBuild): PreviewFee[] {
  const { mint, decimals } = accounts.debt;
  const amounts = [
    { kind: 'FLASH_LOAN', amount: feeOf(loan) } as const,
    ...sequence.parts.flatMap(({ outcome }) => lendingFees(outcome().effect)),
  ];
  return amounts.filter(({ amount }) => amount > 0n).map((each) => ({ ...each, mint, decimals }));
}

/** Warnings about the whole position: only those of the last part count. */
const OF_THE_LAST = new Set<string>(['HEALTH_LOW', 'BETTER_ELEVATION_GROUP']);

function warnings(build: LeverageBuild, read: ReadAccounts): BuildWarning[] {
  const { accounts, loan, sequence, wrappedSol } = build;
  const { parts } = sequence;
  const found = parts.flatMap(({ build }, i) =>
    build.preview().warnings.filter(({ code }) => i === parts.length - 1 || !OF_THE_LAST.has(code)),
  );
  const sol = [accounts.collateral, accounts.debt].find(({ isSol }) => isSol);
  const all = [
    ...swapWarnings(build, read),
    ...flashLoanWarnings(loan),
    ...found,
    ...(sol ? wrappedSolWarnings(sol.token, wrappedSol, 'Wrapped SOL stays in the wallet.') : []),
  ];
  return [...new Map(all.map((each) => [`${each.code} ${each.message}`, each])).values()];
}
