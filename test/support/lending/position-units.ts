import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { FRACTION_ONE, fromPercent } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** Positions straight from the bytes of accounts that a transaction has just refreshed. */

const { klend, kvault } = MAINNET_PROGRAMS;

function accountOf(accounts: AccountReader, address: Address) {
  const found = accounts.get(address);
  if (found === undefined) throw new Error(`no account ${address}`);
  return found;
}

const reserveOf = (accounts: AccountReader, address: Address) =>
  reserve.decode(accountOf(accounts, address), klend);
const obligationOf = (accounts: AccountReader, address: Address) =>
  obligation.decode(accountOf(accounts, address), klend);

/** Base units of a token that collateral tokens are worth: collateral times liquidity over supply. */
function redeemable({ liquidity, collateral }: Reserve, tokens: bigint): Rational {
  const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = liquidity;
  const feesSf = accumulatedProtocolFeesSf + accumulatedReferrerFeesSf + pendingReferrerFeesSf;
  const totalSf = liquidity.totalAvailableAmount * FRACTION_ONE + liquidity.borrowedAmountSf - feesSf;
  return Rational.of(tokens * totalSf, collateral.mintTotalSupply * FRACTION_ONE);
}

/** A deposit in base units of its token. */
export function depositUnits(accounts: AccountReader, address: Address, reserveAddress: Address): Rational {
  const { deposits } = obligationOf(accounts, address);
  const row = deposits.find(({ depositReserve }) => depositReserve === reserveAddress);
  return row === undefined ? ZERO : redeemable(reserveOf(accounts, reserveAddress), row.depositedAmount);
}

/** A debt in base units of its token. */
export function debtUnits(accounts: AccountReader, address: Address, reserveAddress: Address): Rational {
  const { borrows } = obligationOf(accounts, address);
  const row = borrows.find(({ borrowReserve }) => borrowReserve === reserveAddress);
  return row === undefined ? ZERO : Rational.of(row.borrowedAmountSf, FRACTION_ONE);
}

/** Vault shares in base units of the vault's token. @param shares base units */
export function shareUnits(accounts: AccountReader, address: Address, shares: bigint): Rational {
  const { vaultAllocationStrategy, tokenAvailable, pendingFeesSf, sharesIssued } = vaultState.decode(
    accountOf(accounts, address),
    kvault,
  );
  const invested = vaultAllocationStrategy
    .filter(({ ctokenAllocation }) => ctokenAllocation > 0n)
    .map((each) => redeemable(reserveOf(accounts, each.reserve), each.ctokenAllocation))
    .reduce((sum, each) => sum.add(each), ZERO);
  const owned = Rational.of(tokenAvailable).add(invested).sub(Rational.of(pendingFeesSf, FRACTION_ONE));
  return owned.mul(Rational.of(shares, sharesIssued));
}

/**
 * At the prices that the reserves store. An elevation group has a threshold of its own and no borrow factors. Health is null
 * without debt.
 */
export function ratiosOf(accounts: AccountReader, address: Address) {
  const { deposits, borrows, elevationGroup, lendingMarket: market } = obligationOf(accounts, address);
  const { elevationGroups } = lendingMarket.decode(accountOf(accounts, market), klend);
  const group = elevationGroup === 0 ? undefined : elevationGroups[elevationGroup - 1];
  const usd = ({ liquidity }: Reserve, units: Rational) =>
    units.mul(Rational.of(liquidity.marketPriceSf, FRACTION_ONE * 10n ** liquidity.mintDecimals));
  let [collateral, limit, debt, factored] = [ZERO, ZERO, ZERO, ZERO];
  for (const { depositReserve, depositedAmount } of deposits.filter((each) => each.depositedAmount > 0n)) {
    const account = reserveOf(accounts, depositReserve);
    const value = usd(account, redeemable(account, depositedAmount));
    const threshold = group?.liquidationThresholdPct ?? account.config.liquidationThresholdPct;
    collateral = collateral.add(value);
    limit = limit.add(value.mul(fromPercent(threshold)));
  }
  for (const { borrowReserve, borrowedAmountSf } of borrows.filter((each) => each.borrowedAmountSf > 0n)) {
    const account = reserveOf(accounts, borrowReserve);
    const factor = group === undefined ? fromPercent(account.config.borrowFactorPct) : ONE;
    const value = usd(account, Rational.of(borrowedAmountSf, FRACTION_ONE));
    debt = debt.add(value);
    factored = factored.add(value.mul(factor.compare(ONE) < 0 ? ONE : factor));
  }
  return {
    loanToValue: factored.div(collateral),
    healthFactor: factored.isZero ? null : limit.div(factored),
    leverage: collateral.div(collateral.sub(debt)),
  };
}

/** The price of a reserve's token as the reserve stores it, in USD. */
export function storedPrice(accounts: AccountReader, address: Address): Rational {
  return Rational.of(reserveOf(accounts, address).liquidity.marketPriceSf, FRACTION_ONE);
}
