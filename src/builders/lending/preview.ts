import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { positivePart, toTokens } from '../../domain/arithmetic.ts';
import { exactBorrow, wholeBorrow } from '../../domain/borrow-size.ts';
import type { ObligationInView } from '../../domain/capacity.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { obligationPositions, type PricedReserve, type PricedReserves } from '../../domain/obligation.ts';
import { type ObligationStats, obligationStats, storedLoanToValue } from '../../domain/obligation-stats.ts';
import { borrowApy, supplyApy } from '../../domain/rates.ts';
import {
  type RefreshedObligation,
  refreshedObligation,
  wholeWithdrawal,
} from '../../domain/refreshed-obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { Amount } from '../amount.ts';
import { change, NO_FIGURES, type Preview, type PreviewFee } from '../preview.ts';
import type { BuildWarning } from '../warnings.ts';
import { type LendingState, priceAtRefresh } from './accounts.ts';
import { borrowTermFigures } from './borrow-term.ts';
import {
  borrowEffect,
  collateralEffect,
  depositEffect,
  type LendingEffect,
  presentObligation,
  repayEffect,
  withdrawEffect,
} from './effects.ts';
import { collateralFor } from './terms.ts';

/** The obligation and the reserve before or after an action. */
export interface LendingSide {
  readonly obligation: Obligation;
  readonly reserve: AccruedReserve;
  readonly reserves: PricedReserves;
  /** Null when a price is unknown. */
  readonly stats: ObligationStats | null;
  /** Base units of the position acted on; 0 for none. */
  readonly position: Rational;
}

export interface LendingOutcome {
  readonly before: LendingSide;
  readonly after: LendingSide;
  /** The obligation before the action, in the program's fixed point. Null when a price is unknown. */
  readonly refreshed: RefreshedObligation | null;
  readonly effect: LendingEffect;
  /** Requested base units, with "all" resolved. */
  readonly amount: bigint;
}

function sideOf(accounts: LendingState, obligation: Obligation, acted: Reserve, moment: Moment): LendingSide {
  const { request, market } = accounts;
  const priced = new Map<Address, PricedReserve>();
  for (const [address, account] of accounts.reserves) {
    const used = address === request.reserve ? acted : account;
    const accrued = refreshReserve(used, moment, market);
    priced.set(address, { accrued, priceUsd: priceAtRefresh(accounts, used, moment.timestamp)?.usd ?? null });
  }
  const reserves: PricedReserves = (address) => priced.get(address);
  const positions = obligationPositions(obligation, market, reserves);
  const side =
    request.action === 'deposit' || request.action === 'withdraw' ? positions.deposits : positions.borrows;
  const position = side.find(({ reserve }) => reserve === request.reserve)?.amount ?? ZERO;
  const reserve = priced.get(request.reserve)?.accrued ?? refreshReserve(acted, moment, market);
  return { obligation, reserve, reserves, stats: obligationStats(positions), position };
}

/** The obligation with all inputs of its limits; null when a price is unknown. */
export function inView(market: LendingMarket, side: LendingSide): ObligationInView | null {
  const { obligation, reserves, stats } = side;
  if (stats === null) return null;
  return {
    obligation,
    market,
    reserves,
    stats,
    positions: obligationPositions(obligation, market, reserves),
  };
}

/** The result of the action under the program's rules, even if the program would reject it. */
export function lendingOutcome(accounts: LendingState, asked: Amount, moment: Moment): LendingOutcome {
  const { before, refreshed } = lendingStart(accounts, moment);
  const effect = effectOf(accounts, asked, moment, before, refreshed);
  return {
    before,
    refreshed,
    after: sideOf(accounts, effect.obligation, effect.reserve, moment),
    effect,
    amount: asked === 'all' ? effect.moved - effect.penalty : asked,
  };
}

/** The obligation and its reserve before an action, after their refresh. */
export function lendingStart(
  accounts: LendingState,
  moment: Moment,
): Pick<LendingOutcome, 'before' | 'refreshed'> {
  const before = sideOf(accounts, presentObligation(accounts), accounts.reserve, moment);
  return { before, refreshed: refreshedObligation(before.obligation, accounts.market, before.reserves) };
}

/**
 * The result of a withdrawal of collateral tokens that redeems none of them.
 *
 * @param collateral base units
 * @param amount base units of the reserve's token that were asked for
 */
export function collateralOutcome(
  accounts: LendingState,
  collateral: bigint,
  amount: bigint,
  moment: Moment,
): LendingOutcome {
  const effect = collateralEffect(accounts, collateral, moment);
  const after = sideOf(accounts, effect.obligation, effect.reserve, moment);
  return { ...lendingStart(accounts, moment), after, effect, amount };
}

function effectOf(
  accounts: LendingState,
  asked: Amount,
  moment: Moment,
  before: LendingSide,
  refreshed: RefreshedObligation | null,
): LendingEffect {
  const { request, token } = accounts;
  switch (request.action) {
    case 'deposit':
      return depositEffect(accounts, asked === 'all' ? (token.account?.amount ?? 0n) : asked, moment);
    case 'borrow': {
      const priced = before.reserves(request.reserve);
      if (asked !== 'all') return borrowEffect(accounts, exactBorrow(accounts.reserve, asked), moment);
      const size = wholeBorrow(refreshed, before.obligation.elevationGroup, priced);
      return borrowEffect(accounts, size, moment);
    }
    case 'repay':
      return repayEffect(accounts, asked, moment);
    case 'withdraw':
      return withdrawEffect(
        accounts,
        asked === 'all' ? allCollateral(accounts, refreshed) : collateralFor(before.reserve, asked),
        moment,
      );
  }
}

/** Collateral tokens of a withdrawal of "all", base units. Without prices the limit is unknown: the whole deposit. */
function allCollateral(
  { request, withdrawalLimit }: LendingState,
  refreshed: RefreshedObligation | null,
): bigint {
  const deposit = refreshed?.deposits.find(({ reserve }) => reserve === request.reserve);
  return refreshed && deposit ? wholeWithdrawal(refreshed, deposit, withdrawalLimit) : U64_MAX;
}

/** Values before and after the action. */
export function lendingPreview(
  accounts: LendingState,
  outcome: LendingOutcome,
  moment: Moment,
  warnings: readonly BuildWarning[],
): Preview {
  const { before, after, effect } = outcome;
  const { request, market } = accounts;
  const { mintPubkey, mintDecimals } = accounts.reserve.liquidity;
  const stats = (figure: (stats: ObligationStats) => Rational | null) =>
    change(before.stats, after.stats, figure);
  const reserve = (figure: (reserve: AccruedReserve) => Rational) =>
    change(before.reserve, after.reserve, figure);
  return {
    ...NO_FIGURES,
    healthFactor: stats(healthFactor),
    loanToValue: stats(storedLoanToValue),
    borrowLimitUsd: stats(({ borrowLimit }) => borrowLimit),
    netValueUsd: stats(({ netAccountValue }) => netAccountValue),
    supplyApy: reserve((each) => supplyApy(each, moment)),
    borrowApy: reserve((each) => borrowApy(each, moment)),
    utilization: reserve(({ utilization }) => utilization),
    tokens: change(before, after, ({ position }) => toTokens(position, mintDecimals)),
    maxBorrowUsd: stats((each) =>
      positivePart(each.borrowLimit.sub(each.userTotalBorrowBorrowFactorAdjusted)),
    ),
    debtTerm:
      request.action === 'borrow' ? borrowTermFigures(market, request.reserve, outcome, moment) : null,
    fees: lendingFees(effect).map((fee) => ({ ...fee, mint: mintPubkey, decimals: Number(mintDecimals) })),
    warnings,
  };
}

/** Costs of a borrow or a repayment on top of its amount. */
export function lendingFees({
  originationFee,
  penalty,
}: LendingEffect): Pick<PreviewFee, 'kind' | 'amount'>[] {
  const fees = [
    { kind: 'ORIGINATION', amount: originationFee },
    { kind: 'EARLY_REPAY_PENALTY', amount: penalty },
  ] as const;
  return fees.filter(({ amount }) => amount > 0n);
}
