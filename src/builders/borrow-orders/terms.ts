import type { BorrowOrder } from '@sluice/protocol/klend/obligation';
import { toBaseUnits } from '../amount.ts';
import { changed } from '../changed-account.ts';
import { NO_BORROW_ORDER } from '../lending/changes.ts';
import { type BorrowOrderAccounts, fittingReserves, type TokenReserve } from './accounts.ts';
import { refused, type WantedBorrowOrder } from './request.ts';

/**
 * The order as the program stores it.
 *
 * @param before the order that is changed; null for a new one
 * @throws BUILD_REFUSED for a time in the past, or another token than that of the order
 */
export function wantedOrder(
  accounts: BorrowOrderAccounts,
  before: BorrowOrder | null,
  wanted: WantedBorrowOrder,
  timestamp: bigint,
): BorrowOrder {
  if (wanted.fillableUntil < timestamp) {
    throw refused('the order must be fillable until a time to come (6124 InvalidOrderConfiguration)');
  }
  if (before !== null && before.debtLiquidityMint !== wanted.mint) {
    const token = `its token is ${before.debtLiquidityMint}`;
    throw refused(
      `the token of a borrow order cannot be changed, and ${token}; cancel it first (6140 NonUpdatableOrderConfiguration)`,
    );
  }
  const amount = unitsOf(accounts, wanted);
  const terms = {
    remainingDebtAmount: amount,
    minDebtTermSeconds: wanted.minTermSeconds,
    fillableUntilTimestamp: wanted.fillableUntil,
    lastUpdatedAtTimestamp: timestamp,
    maxBorrowRateBps: wanted.maxBorrowRateBps,
    enableAutoRolloverOnFilledBorrows: wanted.autoRollover ? 1 : 0,
  };
  if (before !== null) {
    const isResized = amount !== before.remainingDebtAmount;
    return changed(before, { ...terms, ...(isResized ? { requestedDebtAmount: amount } : {}) });
  }
  return {
    ...NO_BORROW_ORDER,
    ...terms,
    debtLiquidityMint: wanted.mint,
    filledDebtDestination: accounts.ownToken,
    placedAtTimestamp: timestamp,
    requestedDebtAmount: amount,
    active: 1,
  };
}

function unitsOf({ reserves }: BorrowOrderAccounts, { amount }: WantedBorrowOrder): bigint {
  const decimals = Number(reserves[0].value.liquidity.mintDecimals);
  const units = toBaseUnits(amount, { decimals, maxMeansAll: false });
  if (units === 'all') throw refused('a borrow order needs an amount; there is no "all"');
  return units;
}

/** The reserve by whose stored price the program values the order: one that could fill it, and one with a price. */
export function valuingReserve(
  { reserves, market }: BorrowOrderAccounts,
  order: BorrowOrder,
  timestamp: bigint,
): TokenReserve {
  const priced = reserves.filter(({ value }) => value.liquidity.marketPriceSf > 0n);
  const [fitting] = fittingReserves(priced, market, order, timestamp);
  return fitting ?? priced[0] ?? reserves[0];
}
