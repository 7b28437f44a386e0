import { actionOptions, vaultDepositOptions } from '../../../../services/builds/action-options.ts';
import { vaultDepositAction, vaultWithdrawAction } from '../../../../services/builds/actions.ts';
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

export const VAULT_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'vaultDeposit',
    mutation: 'buildVaultDeposit',
    kind: 'VAULT_DEPOSIT',
    builds: 'Builds a deposit into a vault. The shares are staked when the vault has a farm.',
    input: VaultDepositInputRef,
    actionOf: (source, { wallet, vault, amount, options }) =>
      vaultDepositAction(source, {
        wallet,
        vault,
        amount: amountOf(amount),
        ...vaultDepositOptions(options),
      }),
  }),
  actionField({
    name: 'vaultWithdraw',
    mutation: 'buildVaultWithdraw',
    kind: 'VAULT_WITHDRAW',
    builds: 'Builds a withdrawal from a vault. As many shares as needed are unstaked.',
    input: VaultWithdrawInputRef,
    actionOf: (source, { wallet, vault, amount, options }) =>
      vaultWithdrawAction(source, { wallet, vault, amount: sharesOf(amount), ...actionOptions(options) }),
  }),
];
