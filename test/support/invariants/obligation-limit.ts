import type { StoredAccount } from '@sluice/localnet/chain';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational, sum } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { borrowFactor, collateralTerms } from '../../../src/domain/elevation.ts';
import { activeBorrows, activeDeposits } from '../../../src/domain/obligation.ts';
import type { ChainBook } from './chain-book.ts';

const { klend } = MAINNET_PROGRAMS;
/** A millionth of a dollar: prices and amounts of the program have 60 binary places. */
const TOLERANCE_USD = Rational.of(1n, 1_000_000n);

export interface DebtLimit {
  /** Dollars that the deposits allow. */
  readonly allowed: Rational;
  /** Dollars, weighted by borrow factors. */
  readonly owed: Rational;
}

/**
 * The debt of an obligation and its limit, at the stored prices and amounts. Exact arithmetic on the bytes, with nothing that
 * the program has stored about values.
 */
export function debtLimit(at: (address: Address) => StoredAccount, address: Address): DebtLimit {
  const account = obligation.decode(at(address), klend);
  const market = lendingMarket.decode(at(account.lendingMarket), klend);
  const { elevationGroup } = account;
  const reserveAt = (each: Address) => reserve.decode(at(each), klend);
  return {
    allowed: sum(
      activeDeposits(account).map(({ depositReserve, depositedAmount }) => {
        const target = reserveAt(depositReserve);
        const { maxLtv } = collateralTerms(market, target, elevationGroup);
        return value(target, integer(depositedAmount).mul(liquidityPerCollateral(target))).mul(maxLtv);
      }),
    ),
    owed: sum(
      activeBorrows(account).map(({ borrowReserve, borrowedAmountSf }) => {
        const target = reserveAt(borrowReserve);
        const factor = borrowFactor(market, target, elevationGroup);
        return value(target, fromScaledFraction(borrowedAmountSf)).mul(factor);
      }),
    ),
  };
}

/** Says that the obligation owes more than it may; null when it does not. */
export function excessDebt(book: ChainBook, address: Address): string | null {
  const { owed, allowed } = debtLimit((each) => book.at(each), address);
  if (owed.compare(allowed.add(TOLERANCE_USD)) <= 0) return null;
  return `obligation ${address} owes ${dollars(owed)} and may owe ${dollars(allowed)}`;
}

function liquidityPerCollateral({ liquidity, collateral }: Reserve): Rational {
  const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = liquidity;
  const feesSf = accumulatedProtocolFeesSf + accumulatedReferrerFeesSf + pendingReferrerFeesSf;
  const supplySf = liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - feesSf;
  return Rational.of(supplySf, collateral.mintTotalSupply * FRACTION_ONE);
}

function value({ liquidity }: Reserve, units: Rational): Rational {
  const price = fromScaledFraction(liquidity.marketPriceSf);
  return units.mul(price).div(integer(10n ** liquidity.mintDecimals));
}

const dollars = (amount: Rational) => (Number(amount.mul(integer(1_000_000)).floor()) / 1e6).toFixed(6);
