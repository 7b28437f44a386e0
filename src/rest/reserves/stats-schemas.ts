import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';
import { listItems } from '../values/query-values.ts';

const MOST_RESERVES = 100;
const HOW = 'pass addresses of reserves, separated by commas';

export const ReserveStatsParams = z.object({ pubkey: address('Address of the reserve.') });

export const ReserveStatsBatchQuery = z
  .object({
    market: address('Address of a lending market: statistics of all of its reserves.')
      .optional()
      .openapi({ param: { required: false } }),
    reserve: z
      .preprocess(
        listItems,
        z
          .array(address('Address of a reserve.'), { error: HOW })
          .max(MOST_RESERVES, `must not have more than ${MOST_RESERVES} addresses: use several requests`)
          .optional(),
      )
      .openapi({
        param: { required: false, style: 'form', explode: true },
        description: `Addresses of reserves, at most ${MOST_RESERVES}, separated by commas; the parameter may also be repeated. With \`market\`, all of them must belong to it.`,
      }),
  })
  .refine(({ market, reserve }) => market !== undefined || reserve !== undefined, {
    path: ['reserve'],
    error: 'is required without `market`: pass `market`, or up to 100 addresses in `reserve`',
  });

const averaged = (what: string) =>
  z
    .strictObject({
      current: decimalOut(`${what} now, as a fraction.`),
      avg7d: decimalOut(
        `Mean over the whole hours of the last 7 days, as a fraction. Null when the reserve has been recorded for less than that, and when this deployment records no history.`,
      ).nullable(),
      avg30d: decimalOut(
        `Mean over the whole UTC days of the last 30 days, as a fraction. Null when the reserve has been recorded for less than that, and when this deployment records no history.`,
      ).nullable(),
    })
    .openapi({ description: `${what}, without rewards.` });

const cap = {
  capacity: decimalOut('Maximum, in whole tokens of this reserve. Null without a limit.').nullable(),
  currentTotal: decimalOut(
    'Debt that the lending program counts towards it, in whole tokens of this reserve. Interest is counted when a loan is refreshed.',
  ),
};

const CollateralCap = z
  .strictObject({
    collateralReserve: addressOut('Reserve of the collateral.'),
    elevationGroup: z.int().openapi({ description: 'Number of the elevation group in its market.' }),
    ...cap,
  })
  .openapi('CollateralCap');

const BorrowCaps = z
  .strictObject({
    debtOutsideElevationGroup: z.strictObject(cap).openapi({ description: 'Debt outside elevation groups.' }),
    debtAgainstCollateral: z.array(CollateralCap).openapi({
      description:
        'Debt in each elevation group that lends this reserve, by collateral. A loan with several collaterals counts in full towards each.',
    }),
  })
  .openapi('BorrowCaps', { description: 'Limits on parts of the debt, and how far they are used.' });

const RewardApy = z
  .strictObject({
    rewardToken: addressOut('Mint of the reward token.'),
    apy: decimalOut('APY that it adds, as a fraction.'),
  })
  .openapi('RewardApy');

export const ReserveStats = z
  .strictObject({
    token: addressOut('Mint of the token.'),
    status: z.enum(['Active', 'Obsolete', 'Hidden', 'Unknown']).openapi({
      description:
        'Active: open. Obsolete: closed for new positions. Hidden: open, not listed by default. Unknown: a status that this version does not know.',
    }),
    supplyApy: averaged('APY of suppliers from interest'),
    borrowApy: averaged('APY for borrowers from interest'),
    supplyApyBreakdown: z
      .strictObject({
        lending: decimalOut('From interest, as a fraction: `supplyApy.current`.'),
        incentives: decimalOut('From rewards, as a fraction: the sum of `supplyRewardApys`.'),
      })
      .openapi({ description: 'The current APY of suppliers by source. The parts add up to the whole.' }),
    supplyRewardApys: z
      .array(RewardApy)
      .openapi({ description: 'Rewards of suppliers: of the farm of the reserve, then of campaigns.' }),
    underlyingApy: z
      .strictObject({
        current: decimalOut('APY of holding the token in the last completed epoch, as a fraction.'),
        sourceType: z.enum(['yield-feed']).openapi({ description: 'yield-feed: the recorded stake rate.' }),
        sourceMint: addressOut('Mint of the token that yields it.'),
        observedAt: z.iso
          .datetime()
          .openapi({ description: 'When the stake rate at the end of that epoch was recorded.' }),
      })
      .nullable()
      .openapi({
        description:
          'Yield of the token itself: staking rewards of a liquid-staking token. No other APY includes it. Null for any other token, while two epochs have not been recorded, and when this deployment records no history.',
      }),
    liquidityAvailableUsd: decimalOut(
      'Liquidity that can be withdrawn or borrowed now, in USD. "0" when the price is unknown.',
    ),
    actualAvailableLiquidity: decimalOut(
      'Amount that anyone with enough collateral can borrow now, fees included, in whole tokens: the least of free liquidity, borrow limit, utilization limit and outflow cap. "0" when the lending program lends nothing. `borrowCaps` limit it further.',
    ),
    depositLimit: decimalOut('Maximum total supply, in whole tokens.'),
    borrowCaps: BorrowCaps,
  })
  .openapi('ReserveStats');

export const ReserveStatsBatch = z
  .record(z.string(), ReserveStats)
  .openapi({ description: 'Statistics by address of the reserve.' });
