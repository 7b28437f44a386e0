import type { ActionKind } from '../../../../services/builds/builds.ts';
import { builder } from '../../../builder.ts';

const DESCRIPTIONS: Readonly<Record<ActionKind, string>> = {
  LENDING_DEPOSIT: 'Deposit into a reserve.',
  LENDING_BORROW: 'Borrow from a reserve.',
  LENDING_REPAY: 'Repay a debt.',
  LENDING_WITHDRAW: 'Withdraw a deposit.',
  LIQUIDATE: 'Liquidate an unhealthy obligation.',
  VAULT_DEPOSIT: 'Deposit into a vault.',
  VAULT_WITHDRAW: 'Withdraw from a vault.',
  STAKE_SHARES: 'Stake shares of a vault.',
  UNSTAKE_SHARES: 'Unstake shares of a vault.',
  CLAIM_REWARDS: 'Claim rewards of farms.',
  REQUEST_ELEVATION_GROUP: 'Move an obligation into or out of an elevation group.',
  MULTIPLY: 'Deposit of own and borrowed tokens, inside a flash loan.',
  DELEVERAGE: 'Repayment that lowers the leverage of an obligation, inside a flash loan.',
  REPAY_WITH_COLLATERAL: 'Repayment with collateral, inside a flash loan.',
};

export const ActionKindRef = builder.enumType('ActionKind', {
  description: 'The kind of an action.',
  values: Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([kind, description]) => [kind, { description }]),
  ) as Record<ActionKind, { description: string }>,
});
