import type { RequestOptions, SluiceClient } from '../client.ts';
import {
  type Action,
  type ActionPlan,
  CLAIM_REWARDS,
  DELEVERAGE,
  LENDING_BORROW,
  LENDING_DEPOSIT,
  LENDING_REPAY,
  LENDING_WITHDRAW,
  LIQUIDATE,
  MULTIPLY,
  REPAY_WITH_COLLATERAL,
  REQUEST_ELEVATION_GROUP,
  STAKE_SHARES,
  UNSTAKE_SHARES,
  VAULT_DEPOSIT,
  VAULT_WITHDRAW,
} from './documents.ts';
import { refusal } from './refusal.ts';

export interface BuildActionOptions extends RequestOptions {
  /** Also simulates the transaction on the cluster, in `simulation` of the plan. */
  readonly simulate?: boolean;
}

/**
 * Builds the transactions of an action. Throws the refusal, for example `KVAULT_NOT_FOUND`.
 *
 * @example
 * const { transactions, simulation } = await buildAction(client, action, { simulate: true });
 */
export async function buildAction(
  client: SluiceClient,
  action: Action,
  { simulate = false, ...options }: BuildActionOptions = {},
): Promise<ActionPlan> {
  const { built } = (await callBuilder(client, action, simulate, options)).data;
  if (built.__typename === 'TransactionPlan') return built;
  throw refusal(built);
}

function callBuilder(client: SluiceClient, action: Action, simulate: boolean, options: RequestOptions) {
  if ('claimRewards' in action)
    return client.query(CLAIM_REWARDS, { input: action.claimRewards, simulate }, options);
  if ('requestElevationGroup' in action)
    return client.query(REQUEST_ELEVATION_GROUP, { input: action.requestElevationGroup, simulate }, options);
  if ('stakeShares' in action)
    return client.query(STAKE_SHARES, { input: action.stakeShares, simulate }, options);
  if ('unstakeShares' in action)
    return client.query(UNSTAKE_SHARES, { input: action.unstakeShares, simulate }, options);
  if ('lendingBorrow' in action)
    return client.query(LENDING_BORROW, { input: action.lendingBorrow, simulate }, options);
  if ('lendingDeposit' in action)
    return client.query(LENDING_DEPOSIT, { input: action.lendingDeposit, simulate }, options);
  if ('lendingRepay' in action)
    return client.query(LENDING_REPAY, { input: action.lendingRepay, simulate }, options);
  if ('lendingWithdraw' in action)
    return client.query(LENDING_WITHDRAW, { input: action.lendingWithdraw, simulate }, options);
  if ('liquidate' in action) return client.query(LIQUIDATE, { input: action.liquidate, simulate }, options);
  if ('multiply' in action) return client.query(MULTIPLY, { input: action.multiply, simulate }, options);
  if ('deleverage' in action)
    return client.query(DELEVERAGE, { input: action.deleverage, simulate }, options);
  if ('repayWithCollateral' in action)
    return client.query(REPAY_WITH_COLLATERAL, { input: action.repayWithCollateral, simulate }, options);
  if ('vaultDeposit' in action)
    return client.query(VAULT_DEPOSIT, { input: action.vaultDeposit, simulate }, options);
  return client.query(VAULT_WITHDRAW, { input: action.vaultWithdraw, simulate }, options);
}
