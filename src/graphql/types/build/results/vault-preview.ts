import { VAULT_SETTING_NAMES } from '../../../../services/builds/actions.ts';
import type { PreviewAllocation, PreviewSetting, VaultFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { amountOf } from './preview-amount.ts';

const VaultSettingRef = builder.enumType('VaultSetting', {
  description: 'A setting of a vault.',
  values: Object.fromEntries(
    Object.entries(VAULT_SETTING_NAMES).map(([name, description]) => [name, { description }]),
  ) as { [K in keyof typeof VAULT_SETTING_NAMES]: { description: string } },
});

export const AllocationPreviewRef = builder.objectRef<PreviewAllocation>('VaultAllocationPreview').implement({
  description:
    'A reserve of a vault before and after an action. All values are null while the vault does not use the reserve.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    weight: t.expose('weight', { type: ChangeRef, description: 'Weight of the reserve.' }),
    cap: t.expose('cap', {
      type: ChangeRef,
      description: 'The most that the vault invests in the reserve, in whole tokens. Null for no cap.',
    }),
    collateralCap: t.expose('collateralCap', {
      type: ChangeRef,
      description: 'That in collateral tokens (cTokens), in whole ones. Null for no cap.',
    }),
    tokens: t.expose('tokens', { type: ChangeRef, description: 'Investment, in whole tokens.' }),
    targetTokens: t.expose('targetTokens', {
      type: ChangeRef,
      description: 'Investment that the weights and caps ask for, in whole tokens.',
    }),
  }),
});

export const SettingPreviewRef = builder.objectRef<PreviewSetting>('VaultSettingPreview').implement({
  description: 'A setting of a vault that an action changes.',
  fields: (t) => ({
    setting: t.expose('setting', { type: VaultSettingRef, description: 'The setting.' }),
    before: t.exposeString('before', { nullable: true, description: 'Value before. Null for none.' }),
    after: t.exposeString('after', { nullable: true, description: 'Value afterwards. Null for none.' }),
  }),
});

export const VaultPreviewRef = builder.objectRef<VaultFigures>('VaultPreview').implement({
  description:
    'A vault before and after an action of the wallet that runs it, with rewards and fees up to now and the rounding of the program.',
  fields: (t) => ({
    vault: t.expose('vault', { type: 'Address', description: 'Address of the vault.' }),
    allocations: t.expose('allocations', {
      type: [AllocationPreviewRef],
      description: 'The reserves of the vault.',
    }),
    idleTokens: t.expose('idleTokens', {
      type: ChangeRef,
      description: 'Tokens that are not invested, in whole tokens.',
    }),
    targetIdleTokens: t.expose('targetIdleTokens', {
      type: ChangeRef,
      description: 'Tokens that no reserve is to get, in whole tokens.',
    }),
    pendingFees: t.expose('pendingFees', {
      type: ChangeRef,
      description: 'Fees that the vault owes its admin, in whole tokens.',
    }),
    rewardsAvailable: t.expose('rewardsAvailable', {
      type: ChangeRef,
      description: 'Rewards of the vault that are not released yet, in whole tokens.',
    }),
    settings: t.expose('settings', {
      type: [SettingPreviewRef],
      description: 'Settings that the action changes.',
    }),
    paid: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens that the wallet pays. Null for none.',
      resolve: ({ paid }, _args, context) => paid && amountOf(paid, context),
    }),
    received: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens that the wallet receives. Null for none.',
      resolve: ({ received }, _args, context) => received && amountOf(received, context),
    }),
    rent: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'SOL that the wallet pays for the rent of new accounts of the vault. Null for none.',
      resolve: ({ rent }, _args, context) => rent && amountOf(rent, context),
    }),
  }),
});
