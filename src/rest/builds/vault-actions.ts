import { z } from '@hono/zod-openapi';
import {
  stakeSharesAction,
  unstakeSharesAction,
  vaultDepositAction,
  vaultRedeemInKindAction,
  vaultWithdrawAction,
} from '../../services/builds/actions.ts';
import type { ExampleAddresses } from '../operation/operation.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';

const vaultFields = (amountDescription: string) => ({
  wallet,
  kvault: address('Address of the vault.'),
  amount: amount(amountDescription),
  options,
});

/** Body of a vault action. `name` is that of the component. */
export const vaultBody = (name: string, amountDescription: string) =>
  z.object(vaultFields(amountDescription), { error: NOT_AN_OBJECT }).openapi(name);

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
    isVaultDeposit: true,
    actionOf: (source, { wallet, kvault, amount }, options) =>
      vaultDepositAction(source, {
        wallet,
        vault: kvault,
        amount: { tokens: parseAmount(amount) },
        ...options,
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
    actionOf: (source, { wallet, kvault, amount }, options) =>
      vaultWithdrawAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...options,
      }),
  }),
  ktxAction({
    name: 'vaultRedeemInKind',
    id: 'redeemVaultInKind',
    mutation: 'buildVaultRedeemInKind',
    path: '/ktx/kvault/redeem-in-kind',
    purpose: 'exchange vault shares for collateral tokens of a reserve',
    body: z
      .object(
        {
          ...vaultFields(`Shares to exchange, in whole shares. ${ALL}`),
          reserve: address('Address of the reserve of the vault whose collateral tokens are received.'),
        },
        { error: NOT_AN_OBJECT },
      )
      .openapi('VaultRedeemInKindBody'),
    example: (addresses) => ({ ...vaultExample(addresses), reserve: addresses.reserve }),
    actionOf: (source, { wallet, kvault, reserve, amount }, options) =>
      vaultRedeemInKindAction(source, {
        wallet,
        vault: kvault,
        reserve,
        amount: { shares: parseAmount(amount) },
        ...options,
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
    actionOf: (source, { wallet, kvault, amount }, options) =>
      stakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...options,
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
    actionOf: (source, { wallet, kvault, amount }, options) =>
      unstakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...options,
      }),
  }),
];
