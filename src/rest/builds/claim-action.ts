import { z } from '@hono/zod-openapi';
import { claimRewardsAction } from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { ktxAction } from './action.ts';
import { NOT_AN_OBJECT, options, wallet } from './body-parts.ts';

const MAX_FARMS = 100;

const ClaimRewardsBody = z
  .object(
    {
      wallet,
      farms: z
        .array(address('Address of a farm.'))
        .min(1, 'names no farm: omit it to claim from all')
        .max(MAX_FARMS, `names more than ${MAX_FARMS} farms`)
        .optional()
        .openapi({ description: 'Farms to claim from. By default all in which the wallet has a stake.' }),
      options,
    },
    { error: NOT_AN_OBJECT },
  )
  .openapi('ClaimRewardsBody');

/** A claim of rewards. */
export const CLAIM_ACTION = ktxAction({
  name: 'claimRewards',
  id: 'claimFarmRewards',
  mutation: 'buildClaimRewards',
  path: '/ktx/farms/claim',
  purpose: 'claim rewards of farms',
  body: ClaimRewardsBody,
  example: ({ wallet, farm }) => ({ wallet, farms: [farm] }),
  actionOf: (source, { wallet, farms }, options) =>
    claimRewardsAction(source, {
      wallet,
      ...(farms === undefined ? {} : { farms }),
      ...options,
    }),
});
