import { stakeSharesAction, unstakeSharesAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { ShareAmountInputRef, sharesOf } from './build-inputs.ts';
import { vaultFields } from './vault-fields.ts';

const ShareStakingInputRef = builder.inputType('ShareStakingInput', {
  description: "Input of an action that moves shares into or out of a vault's farm.",
  fields: (t) => ({
    ...vaultFields(t),
    amount: t.field({
      type: ShareAmountInputRef,
      required: true,
      description: 'Shares to move. All means all that are unstaked, or all that are staked.',
    }),
  }),
});

export const STAKING_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'stakeShares',
    mutation: 'buildStakeShares',
    kind: 'STAKE_SHARES',
    builds: "Builds a stake of a wallet's shares in the vault's farm.",
    input: ShareStakingInputRef,
    actionOf: (source, { wallet, vault, amount }, options) =>
      stakeSharesAction(source, { wallet, vault, amount: sharesOf(amount), ...options }),
  }),
  actionField({
    name: 'unstakeShares',
    mutation: 'buildUnstakeShares',
    kind: 'UNSTAKE_SHARES',
    builds:
      "Builds an unstaking of shares from the vault's farm. In a farm with a cooldown it only starts the cooldown; unstake again once it is over to receive the shares.",
    input: ShareStakingInputRef,
    actionOf: (source, { wallet, vault, amount }, options) =>
      unstakeSharesAction(source, { wallet, vault, amount: sharesOf(amount), ...options }),
  }),
];
