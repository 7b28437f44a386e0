import { z } from '@hono/zod-openapi';
import {
  acceptVaultAdminAction,
  createVaultAction,
  giveUpVaultFeesAction,
  investVaultAction,
  removeAllocationAction,
  setAllocationAction,
  topUpVaultRewardsAction,
  withdrawVaultFeesAction,
  withdrawVaultRewardsAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { u64 } from '../values/u64.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { ALL, amount, NOT_AN_OBJECT, options, parseAmount, wallet } from './body-parts.ts';
import { VAULT_CONFIG_ACTION } from './vault-config-action.ts';

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z
    .object({ ...shape, wallet, kvault: address('Address of the vault.'), options }, { error: NOT_AN_OBJECT })
    .openapi(name);

const reserve = address('Address of the reserve.');
const NO_CAP = 'U64::MAX (18446744073709551615) means no cap.';

/** Actions on a vault by the wallet that runs it. */
export const CURATOR_ACTIONS: readonly KtxAction[] = [
  ktxAction({
    name: 'createVault',
    id: 'createVault',
    mutation: 'buildCreateVault',
    path: '/ktx/kvault/create',
    purpose: 'create a vault at the address of a new key pair, which must sign too',
    body: z
      .object(
        {
          wallet,
          kvault: address(
            'Address of a new key pair of yours, which becomes the address of the vault. It must sign the transaction too.',
          ),
          mint: address('Mint of the token that the vault accepts.'),
          options,
        },
        { error: NOT_AN_OBJECT },
      )
      .openapi('CreateVaultBody'),
    example: (addresses) => ({
      wallet: addresses.wallet,
      kvault: addresses.emptyWallet,
      mint: addresses.tokenMint,
    }),
    actionOf: (source, { wallet, kvault, mint }, given) =>
      createVaultAction(source, { wallet, vault: kvault, mint, ...given }),
  }),
  ktxAction({
    name: 'setVaultAllocation',
    id: 'setVaultAllocation',
    mutation: 'buildSetVaultAllocation',
    path: '/ktx/kvault/set-allocation',
    purpose: 'set weight and caps of a reserve of a vault, or add it',
    body: body('SetVaultAllocationBody', {
      reserve,
      weight: u64(
        'Weight of the reserve, relative to those of the others and of the idle tokens. 0 in a new allocation unless given.',
      ).optional(),
      cap: amount(
        `The most that the vault invests in the reserve, in whole tokens. ${NO_CAP} None in a new allocation unless given.`,
      ).optional(),
      collateralCap: amount(
        `That in collateral tokens (cTokens) of the reserve, in whole ones. ${NO_CAP}`,
      ).optional(),
    }),
    example: (addresses) => ({
      wallet: addresses.vaultAdmin,
      kvault: addresses.vault,
      reserve: addresses.reserve,
      weight: '300',
    }),
    actionOf: (source, { wallet, kvault, reserve, weight, cap, collateralCap }) =>
      setAllocationAction(source, {
        wallet,
        vault: kvault,
        reserve,
        ...(weight === undefined ? {} : { weight: BigInt(weight) }),
        ...(cap === undefined ? {} : { cap: parseAmount(cap) }),
        ...(collateralCap === undefined ? {} : { collateralCap: parseAmount(collateralCap) }),
      }),
  }),
  ktxAction({
    name: 'removeVaultAllocation',
    id: 'removeVaultAllocation',
    mutation: 'buildRemoveVaultAllocation',
    path: '/ktx/kvault/remove-allocation',
    purpose: 'remove a reserve from a vault',
    body: body('RemoveVaultAllocationBody', { reserve }),
    example: (addresses) => ({
      wallet: addresses.vaultAdmin,
      kvault: addresses.vault,
      reserve: addresses.reserve,
    }),
    actionOf: (source, { wallet, kvault, reserve }) =>
      removeAllocationAction(source, { wallet, vault: kvault, reserve }),
  }),
  ktxAction({
    name: 'investVault',
    id: 'investVault',
    mutation: 'buildInvestVault',
    path: '/ktx/kvault/invest',
    purpose: 'move tokens between a vault and one of its reserves, towards its target',
    body: body('InvestVaultBody', {
      reserve,
      maxAmount: amount(
        'The most to move, in whole tokens. By default all that the target asks for.',
      ).optional(),
    }),
    example: (addresses) => ({
      wallet: addresses.wallet,
      kvault: addresses.vault,
      reserve: addresses.reserve,
    }),
    actionOf: (source, { wallet, kvault, reserve, maxAmount }) =>
      investVaultAction(source, {
        wallet,
        vault: kvault,
        reserve,
        ...(maxAmount === undefined ? {} : { maxAmount: { tokens: parseAmount(maxAmount) } }),
      }),
  }),
  VAULT_CONFIG_ACTION,
  ktxAction({
    name: 'acceptVaultAdmin',
    id: 'acceptVaultAdmin',
    mutation: 'buildAcceptVaultAdmin',
    path: '/ktx/kvault/accept-admin',
    purpose: 'become the admin of a vault',
    body: body('AcceptVaultAdminBody', {}),
    example: (addresses) => ({ wallet: addresses.wallet, kvault: addresses.vault }),
    actionOf: (source, { wallet, kvault }) => acceptVaultAdminAction(source, { wallet, vault: kvault }),
  }),
  ktxAction({
    name: 'withdrawVaultFees',
    id: 'withdrawVaultFees',
    mutation: 'buildWithdrawVaultFees',
    path: '/ktx/kvault/withdraw-fees',
    purpose: 'withdraw the fees of a vault',
    body: body('WithdrawVaultFeesBody', {
      reserve: reserve.optional().openapi({
        description: 'Reserve that pays what idle tokens do not cover. By default the one that can pay most.',
      }),
    }),
    example: (addresses) => ({ wallet: addresses.vaultAdmin, kvault: addresses.vault }),
    actionOf: (source, { wallet, kvault, reserve }, given) =>
      withdrawVaultFeesAction(source, {
        wallet,
        vault: kvault,
        ...(reserve === undefined ? {} : { reserve }),
        ...given,
      }),
  }),
  ktxAction({
    name: 'giveUpVaultFees',
    id: 'giveUpVaultFees',
    mutation: 'buildGiveUpVaultFees',
    path: '/ktx/kvault/give-up-fees',
    purpose: 'leave fees of a vault to its shareholders',
    body: body('GiveUpVaultFeesBody', { amount: amount(`Fees to give up at most, in whole tokens. ${ALL}`) }),
    example: (addresses) => ({ wallet: addresses.vaultAdmin, kvault: addresses.vault, amount: '1.5' }),
    actionOf: (source, { wallet, kvault, amount }) =>
      giveUpVaultFeesAction(source, { wallet, vault: kvault, amount: { tokens: parseAmount(amount) } }),
  }),
  ktxAction({
    name: 'topUpVaultRewards',
    id: 'topUpVaultRewards',
    mutation: 'buildTopUpVaultRewards',
    path: '/ktx/kvault/top-up-rewards',
    purpose: 'add tokens to the rewards of a vault',
    body: body('TopUpVaultRewardsBody', { amount: amount('Tokens to add, in whole tokens.') }),
    example: (addresses) => ({ wallet: addresses.wallet, kvault: addresses.vault, amount: '1.5' }),
    actionOf: (source, { wallet, kvault, amount }, given) =>
      topUpVaultRewardsAction(source, {
        wallet,
        vault: kvault,
        amount: { tokens: parseAmount(amount) },
        ...given,
      }),
  }),
  ktxAction({
    name: 'withdrawVaultRewards',
    id: 'withdrawVaultRewards',
    mutation: 'buildWithdrawVaultRewards',
    path: '/ktx/kvault/withdraw-rewards',
    purpose: 'withdraw rewards of a vault that are not released yet',
    body: body('WithdrawVaultRewardsBody', {
      amount: amount(`Rewards to withdraw at most, in whole tokens. ${ALL}`),
    }),
    example: (addresses) => ({ wallet: addresses.vaultAdmin, kvault: addresses.vault, amount: 'U64::MAX' }),
    actionOf: (source, { wallet, kvault, amount }, given) =>
      withdrawVaultRewardsAction(source, {
        wallet,
        vault: kvault,
        amount: { tokens: parseAmount(amount) },
        ...given,
      }),
  }),
];
