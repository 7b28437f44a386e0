import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { listItems } from '../values/query-values.ts';

const TYPES = ['0', '1'] as const;
const HOW = `must be ${TYPES.join(' or ')}, or both separated by a comma`;

/** Types of rewards as numbers. Both by default. */
export const rewardTypes = z
  .preprocess(
    (given) => listItems(given ?? [...TYPES]),
    z.array(z.enum(TYPES, { error: HOW }).transform(Number), { error: HOW }),
  )
  .openapi({
    type: 'string',
    pattern: '^[01](,[01])*$',
    default: TYPES.join(','),
    param: { required: false },
    description:
      'Types of rewards, separated by commas: 0 is shared among all stakes, 1 is a constant amount per staked unit.',
  });

const PortfolioReward = z
  .strictObject({
    mint: addressOut('Mint of the reward token.'),
    amount: decimalOut('Amount that can be claimed now, in whole tokens.'),
    index: z
      .int()
      .min(0)
      .openapi({ description: 'Index of the reward in the farm, which a claim refers to.' }),
    type: z.int().min(0).openapi({
      description: '0: shared among all stakes. 1: a constant amount per staked unit.',
    }),
    tokenProgram: addressOut('The token program of the reward token.'),
  })
  .openapi('PortfolioReward');

export const PortfolioFarm = z
  .strictObject({
    farm: addressOut('Address of the farm.'),
    userState: addressOut('Address of the stake.'),
    delegatee: addressOut('The obligation that is staked, or the wallet that has staked tokens.'),
    strategy: addressOut(
      'The liquidity strategy whose shares are staked, as the farm names it. Absent for any other farm.',
    ).optional(),
    vault: addressOut('The vault whose farm this is. Absent for any other farm.').optional(),
    positionType: z.enum(['Lend', 'Borrow Markets', 'Multiply', 'Leverage', 'Liquidity']).openapi({
      description:
        'Kind of the position: shares of an earn vault (Lend), a deposit or debt of an obligation (Borrow Markets, Multiply, Leverage), or tokens in a farm that belongs to no vault and no reserve (Liquidity).',
    }),
    activeStakeAmount: decimalOut(
      'Active stake in whole tokens: shares of the vault, collateral tokens or owed tokens of the reserve, otherwise tokens of the farm.',
    ),
    tokenMints: z.array(addressOut('Mint of a token.')).optional().openapi({
      description:
        'Mints of the position: collateral and debt of a leveraged obligation, otherwise the one token that is rewarded. Absent when they are unknown.',
    }),
    rewards: z.array(PortfolioReward).openapi({
      description: 'Rewards of the requested types that can be claimed now, in the order of the farm.',
    }),
  })
  .openapi('PortfolioFarm');

const affected = (description: string) => z.array(addressOut('An address.')).openapi({ description });

const PartialErrors = z
  .strictObject({
    positionTokenMints: affected(
      'Strategies whose two tokens are unknown: `tokenMints` has the mint of their shares instead. This gateway does not read strategies.',
    ),
    seasonFarms: affected('Always empty: farms of seasons are not distinguished from others.'),
    rewardMetadata: affected('Stakes, and farms of stakes, that cannot be read and are left out of `farms`.'),
  })
  .openapi('PortfolioRewardsPartialErrors');

export const PortfolioRewards = z
  .strictObject({
    timestamp: dateOut('Time up to which rewards are counted.'),
    farms: z.array(PortfolioFarm).openapi({
      description:
        'One entry per stake of the wallet and of its obligations, ordered by address of the stake.',
    }),
    partialErrors: PartialErrors.optional().openapi({
      description: 'What is missing from the answer. Absent when nothing is.',
    }),
  })
  .openapi('PortfolioRewards');
