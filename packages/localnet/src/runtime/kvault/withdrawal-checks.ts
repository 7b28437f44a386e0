import { ensure } from '../anchor.ts';
import { VAULT_CODES } from './vault-errors.ts';
import type { WithdrawalAmounts } from './withdrawal-amounts.ts';

/** Token balances around a withdrawal, base units. */
export interface Balances {
  readonly tokenVault: bigint;
  readonly userTokens: bigint;
  readonly userShares: bigint;
  /** 0 without a reserve, as is the liquidity. */
  readonly ctokens: bigint;
  readonly reserveLiquidity: bigint;
}

/** The balances must have changed by what was booked. A token with a transfer fee fails here. */
export function checkBalances(before: Balances, after: Balances, amounts: WithdrawalAmounts): void {
  const sent = amounts.available + amounts.liquidityForUser;
  const fromReserve = before.reserveLiquidity - after.reserveLiquidity;
  const fromVault = before.tokenVault - after.tokenVault;
  ensure(sent === fromReserve + fromVault, VAULT_CODES.amountToWithdrawDoesNotMatch);
  ensure(before.ctokens - after.ctokens === amounts.ctokens, VAULT_CODES.liquidityToWithdrawDoesNotMatch);
  ensure(after.userTokens - before.userTokens === sent, VAULT_CODES.userReceivedAmountDoesNotMatch);
  ensure(
    before.userShares - after.userShares === amounts.sharesToBurn,
    VAULT_CODES.sharesBurnedAmountDoesNotMatch,
  );
  ensure(fromReserve === amounts.liquidity, VAULT_CODES.disinvestedLiquidityAmountDoesNotMatch);
}
