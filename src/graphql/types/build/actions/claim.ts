import { claimRewardsAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef } from './build-inputs.ts';

const ClaimRewardsInputRef = builder.inputType('ClaimRewardsInput', {
  description: 'Input of a claim of rewards.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Owner of the stakes, who signs the transaction and pays its fee unless there is another fee payer.',
    }),
    farms: t.field({
      type: ['Address'],
      description:
        'Farms of vaults, reserves or other tokens to claim from. Defaults to all in which the wallet or one of its obligations has a stake.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const CLAIM_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'claimRewards',
    mutation: 'buildClaimRewards',
    kind: 'CLAIM_REWARDS',
    builds:
      'Builds a claim of the rewards that the stakes of a wallet and of its obligations have earned. Rewards that cannot be claimed now are left out with a warning.',
    input: ClaimRewardsInputRef,
    actionOf: (source, { wallet, farms }, options) =>
      claimRewardsAction(source, { wallet, ...(farms ? { farms } : {}), ...options }),
  }),
];
