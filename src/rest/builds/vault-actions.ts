import { z } from '@hono/zod-openapi';
import { actionOptions, vaultDepositOptions } from '../../services/builds/action-options.ts';
import {
  stakeSharesAction,
  unstakeSharesAction,
  vaultDepositAction,
  vaultWithdrawAction,
} from '../../services/builds/actions.ts';
import type { ExampleAddresses } from '../operation/operation.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { givenActionOptions } from './option-schemas.ts';

/** Body of a vault action. `name` is that of the component. */
const vaultBody = (name: string, amountDescription: string) =>
  z
    .object(
      {
        wallet,
        kvault: address('Address of the vault.'),
        amount: amount(amountDescription),
        options,
      },
      { error: NOT_AN_OBJECT },
    )
    .openapi(name);

const vaultExample = ({ wallet, vault }: ExampleAddresses) => ({ wallet, kvault: vault, amount: '1.5' });

/** Actions on the shares of a vault. */
export const VAULT_ACTIONS: readonly KtxAction[] = [
  ktxAction({
    name: 'vaultDeposit',
    id: 'depositVault',
    mutation: 'buildVaultDeposit',
    path: '/ktx/kvault/deposit',
    purpose: 'deposit into a vault',
    body: vaultBody('VaultDepositBody', 'Amount to deposit, in whole tokens.'),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      vaultDepositAction(source, {
        wallet,
        vault: kvault,
        amount: { tokens: parseAmount(amount) },
        ...vaultDepositOptions(givenActionOptions(options)),
      }),
  }),
  ktxAction({
    name: 'vaultWithdraw',
    id: 'withdrawVault',
    mutation: 'buildVaultWithdraw',
    path: '/ktx/kvault/withdraw',
    purpose: 'withdraw from a vault',
    body: vaultBody('VaultWithdrawBody', `Shares to redeem, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      vaultWithdrawAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  }),
  ktxAction({
    name: 'stakeShares',
    id: 'stakeVaultShares',
    mutation: 'buildStakeShares',
    path: '/ktx/kvault/stake',
    purpose: "stake shares in a vault's farm",
    body: vaultBody('StakeSharesBody', `Shares to stake, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      stakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  }),
  ktxAction({
    name: 'unstakeShares',
    id: 'unstakeVaultShares',
    mutation: 'buildUnstakeShares',
    path: '/ktx/kvault/unstake',
    purpose: "unstake shares from a vault's farm",
    body: vaultBody('UnstakeSharesBody', `Shares to unstake, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      unstakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  }),
];
