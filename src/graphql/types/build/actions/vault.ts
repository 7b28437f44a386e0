import {
  vaultDepositAction,
  vaultRedeemInKindAction,
  vaultWithdrawAction,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, ShareAmountInputRef, sharesOf } from './build-inputs.ts';
import { vaultFields } from './vault-fields.ts';

const VaultDepositInputRef = builder.inputType('VaultDepositInput', {
  description: 'Input of a vault deposit.',
  fields: (t) => ({
    ...vaultFields(t),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Amount of the action.' }),
  }),
});

const VaultWithdrawInputRef = builder.inputType('VaultWithdrawInput', {
  description: 'Input of a vault withdrawal.',
  fields: (t) => ({
    ...vaultFields(t),
    amount: t.field({ type: ShareAmountInputRef, required: true, description: 'Amount of the action.' }),
  }),
});

const VaultRedeemInKindInputRef = builder.inputType('VaultRedeemInKindInput', {
  description: 'Input of an exchange of shares for collateral tokens.',
  fields: (t) => ({
    ...vaultFields(t),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the reserve of the vault whose collateral tokens are received.',
    }),
    amount: t.field({ type: ShareAmountInputRef, required: true, description: 'Shares to exchange.' }),
  }),
});

export const VAULT_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'vaultDeposit',
    mutation: 'buildVaultDeposit',
    kind: 'VAULT_DEPOSIT',
    builds: 'Builds a deposit into a vault. The shares are staked when the vault has a farm.',
    input: VaultDepositInputRef,
    isVaultDeposit: true,
    actionOf: (source, { wallet, vault, amount }, options) =>
      vaultDepositAction(source, {
        wallet,
        vault,
        amount: amountOf(amount),
        ...options,
      }),
  }),
  actionField({
    name: 'vaultWithdraw',
    mutation: 'buildVaultWithdraw',
    kind: 'VAULT_WITHDRAW',
    builds: 'Builds a withdrawal from a vault. As many shares as needed are unstaked.',
    input: VaultWithdrawInputRef,
    actionOf: (source, { wallet, vault, amount }, options) =>
      vaultWithdrawAction(source, { wallet, vault, amount: sharesOf(amount), ...options }),
  }),
  actionField({
    name: 'vaultRedeemInKind',
    mutation: 'buildVaultRedeemInKind',
    kind: 'VAULT_REDEEM_IN_KIND',
    builds:
      'Builds an exchange of vault shares for collateral tokens (cTokens) of one reserve of the vault. It needs no liquidity in the reserve: the collateral tokens can wait in its withdraw queue. As many shares as needed are unstaked.',
    input: VaultRedeemInKindInputRef,
    actionOf: (source, { wallet, vault, reserve, amount }, options) =>
      vaultRedeemInKindAction(source, { wallet, vault, reserve, amount: sharesOf(amount), ...options }),
  }),
];
