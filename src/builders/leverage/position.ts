import type { Obligation } from '@sluice/protocol/klend/obligation';
import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { fromBps } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { apyBreakdown, borrowApyBreakdown } from '../../domain/apy.ts';
import { positivePart, valueUsd } from '../../domain/arithmetic.ts';
import { healthFactor } from '../../domain/health.ts';
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
import {
  change,
  NO_FIGURES,
  type Preview,
  type PreviewFee,
  type QuoteFigures,
  type WorstCase,
} from '../preview.ts';
import type { ObligationView } from '../preview-position.ts';
import { distinct, type ReadAccounts } from '../read-accounts.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import type { BuildWarning } from '../warnings.ts';
import type { LoanAccounts, LoanSide } from './accounts.ts';
import type { LoanBuild } from './build.ts';
import { feeOf, flashLoanWarnings } from './flash-loan.ts';
import type { LoanRequest } from './request.ts';
import { swapWarnings } from './swap-warnings.ts';

/** The obligation and its reserves before or after an action around a flash loan. */
export interface PositionState extends ObligationView {
  readonly netApy: Rational | null;
}

export interface PositionStates {
  readonly before: PositionState;
  readonly after: PositionState;
}

/** The states before the action and at the end of its sequence. */
export function positionStates({ accounts, sequence }: LoanBuild, read: ReadAccounts): PositionStates {
  const obligation = presentObligation(accounts.lending);
  const last = sequence.parts.at(-1)?.outcome();
  return {
    before: stateOf(accounts, obligation, read),
    after: stateOf(accounts, last?.effect.obligation ?? obligation, sequence.read),
  };
}

function stateOf(accounts: LoanAccounts, obligation: Obligation, read: ReadAccounts): PositionState {
  const { lending, sides, at, request } = accounts;
  const { market } = lending;
  const addresses = distinct([...obligationReserves(obligation), ...sides.map(({ address }) => address)]);
  const priced = new Map<Address, PricedReserve>();
  for (const address of addresses) {
    const account = reserveAt(read, address, request.programs.klend);
    const priceUsd = priceAtRefresh(lending, account, at.moment.timestamp)?.usd ?? null;
    priced.set(address, { accrued: refreshReserve(account, at.moment, market), priceUsd });
  }
  const reserves: PricedReserves = (address) => priced.get(address);
  const positions = obligationPositions(obligation, market, reserves);
  return {
    reserves,
    positions,
    stats: obligationStats(positions),
    netApy: netApy(positions, positionApys(request, reserves, at.moment)),
  };
}

/** APYs with rewards, of the reserves in the state of this side. */
function positionApys({ rewardApys }: LoanRequest, reserves: PricedReserves, moment: Moment): PositionApys {
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

/** Figures of the whole obligation, with fees and warnings. */
export function obligationPreview(
  build: LoanBuild,
  { before, after }: PositionStates,
  read: ReadAccounts,
): Preview {
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    leverage: stats(({ leverage }) => leverage),
    netApy: change(before, after, (side) => side.netApy),
    quote: quoteFigures(build),
    fees: fees(build),
    warnings: warnings(build, read),
  };
}

/**
 * The position is built from the minimum out alone, so its figures are those after; a better swap leaves more in the wallet.
 *
 * @param liquidationPriceUsd that after the action
 */
export function worstCase(
  { accounts, trade, wallet }: LoanBuild,
  after: PositionState,
  liquidationPriceUsd: Rational | null,
): WorstCase {
  const { stats } = after;
  const worth = (side: LoanSide, units: bigint) => {
    const price = after.reserves(side.address)?.priceUsd ?? null;
    return price && valueUsd(integer(units), BigInt(side.decimals), price);
  };
  const [paid, received] = [worth(trade.sold, trade.spent), worth(trade.bought, trade.minOut)];
  const changes = wallet();
  return {
    healthFactor: stats && healthFactor(stats),
    loanToValue: stats && storedLoanToValue(stats),
    netValueUsd: stats?.netAccountValue ?? null,
    leverage: stats?.leverage ?? null,
    netApy: after.netApy,
    liquidationPriceUsd,
    swapLossUsd: paid && received && paid.sub(received),
    walletChanges: accounts.sides.map(({ mint, decimals }, i) => ({
      mint,
      decimals,
      amount: changes[i] ?? 0n,
    })),
  };
}

function quoteFigures({ accounts, trade }: LoanBuild): QuoteFigures | null {
  const { quote } = accounts.request.swap;
  if (quote === null) return null;
  const amountOf = ({ mint, decimals }: LoanSide, amount: bigint) => ({ mint, decimals, amount });
  return {
    router: quote.router,
    sold: amountOf(trade.sold, trade.spent),
    expected: amountOf(trade.bought, quote.expectedOut),
    guaranteed: amountOf(trade.bought, trade.minOut),
    slippage: fromBps(quote.slippageBps),
    priceImpact: quote.priceImpact,
  };
}

function fees({ loan, sequence }: LoanBuild): PreviewFee[] {
  const { mint, decimals } = loan.side;
  const amounts: PreviewFee[] = [
    { kind: 'FLASH_LOAN', amount: feeOf(loan), mint, decimals },
    ...sequence.parts.flatMap(({ accounts, outcome }) => {
      const { mintPubkey, mintDecimals } = accounts.reserve.liquidity;
      const of = { mint: mintPubkey, decimals: Number(mintDecimals) };
      return lendingFees(outcome().effect).map((each) => ({ ...each, ...of }));
    }),
  ];
  return amounts.filter(({ amount }) => amount > 0n);
}

/** Warnings about the whole position: only those of the last part count. */
const OF_THE_LAST = new Set<string>(['HEALTH_LOW', 'BETTER_ELEVATION_GROUP']);

function warnings(build: LoanBuild, read: ReadAccounts): BuildWarning[] {
  const { accounts, loan, sequence, wrappedSol } = build;
  const { parts } = sequence;
  const found = parts.flatMap(({ warnings: ofPart }, i) =>
    ofPart().filter(({ code }) => i === parts.length - 1 || !OF_THE_LAST.has(code)),
  );
  const sol = accounts.sides.find(({ isSol }) => isSol);
  const all = [
    ...swapWarnings(build, read),
    ...flashLoanWarnings(loan),
    ...found,
    ...(sol ? wrappedSolWarnings(sol.token, wrappedSol, 'Wrapped SOL stays in the wallet.') : []),
  ];
  return [...new Map(all.map((each) => [`${each.code} ${each.message}`, each])).values()];
}
