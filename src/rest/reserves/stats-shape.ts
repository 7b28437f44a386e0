import { z } from '@hono/zod-openapi';
import { LendingReward } from '../rewards/lending-schemas.ts';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { orNull } from '../values/or-null.ts';
import { BorrowCaps, OutflowCap } from './stats-caps.ts';

const NO_MEAN =
  'Null when the reserve has been recorded for less than that, and when this deployment records no history.';

const meanOut = (what: string) => decimalOut(`${what}. ${NO_MEAN}`).nullable();
const hoursOut = (days: number) =>
  meanOut(`Mean over the whole hours of the last ${days} days, as a fraction`);
const daysOut = (days: number) =>
  meanOut(`Mean over the whole UTC days of the last ${days} days, as a fraction`);

const averaged = (what: string) =>
  z
    .strictObject({
      current: decimalOut(`${what} now, as a fraction.`),
      avg7d: hoursOut(7),
      avg14d: daysOut(14),
      avg30d: daysOut(30),
      avg60d: daysOut(60),
      avg90d: daysOut(90),
      avg180d: daysOut(180),
    })
    .openapi({ description: `${what}, without rewards.` });

const Utilization = z
  .strictObject({
    current: decimalOut('Borrowed / supplied now, as a fraction. "0" when nothing is supplied.'),
    avg30d: daysOut(30),
    avg90d: daysOut(90),
    avg180d: daysOut(180),
    avg365d: daysOut(365),
  })
  .openapi({ description: 'Utilization. A mean is the mean of borrowed divided by the mean of supplied.' });

const rewardApy = {
  rewardToken: addressOut('Mint of the reward token.'),
  farm: addressOut(
    'Farm that pays the reward. Null for a campaign and for rewards of the reserve itself.',
  ).nullable(),
  apy: decimalOut('APY that it adds, as a fraction.'),
  tokensPerSecond: decimalOut('Whole reward tokens per second, paid to all positions together.'),
};

const RewardApy = z.strictObject(rewardApy).openapi('RewardApy');

const seconds = (description: string) =>
  z
    .int()
    .min(0)
    .openapi({ description: `${description}, in seconds.` });
const bps = (description: string) =>
  z
    .int()
    .min(0)
    .openapi({ description: `${description}, in basis points.` });

const AutoDeleverage = z
  .strictObject({
    reserve: z.strictObject({
      enabled: z.boolean().openapi({ description: 'Whether it is enabled. The market must enable it too.' }),
      marginCallPeriodSecs: seconds('Time from a margin call until loans can be liquidated'),
      thresholdDecreaseBpsPerDay: bps(
        'Decrease per day of the loan-to-value at which they can then be liquidated',
      ),
      bonusIncreaseBpsPerDay: bps('Increase per day of the liquidation bonus'),
      minBonusBps: bps('Liquidation bonus at the beginning'),
    }),
    market: orNull(
      z.strictObject({
        enabled: z.boolean().openapi({ description: 'Whether it is enabled in the market.' }),
        individualMarginCallPeriodSecs: seconds(
          'Time from a margin call on a single loan until it can be liquidated',
        ),
      }),
      'Settings of the market. Null when it cannot be read.',
    ),
  })
  .openapi('AutoDeleverage', {
    description:
      'Settings with which the market can make borrowers reduce loans that use the reserve, although they are healthy.',
  });

const FixedTerm = z
  .strictObject({
    termSeconds: seconds('Term of a debt from the last borrow on it'),
    apy: decimalOut('APY for borrowers from interest now, as a fraction: `borrowApy.current`.'),
  })
  .openapi('FixedTerm');

const UnderlyingApy = z
  .strictObject({
    current: decimalOut('APY of holding the token in the last completed epoch, as a fraction.'),
    sourceType: z.enum(['yield-feed']).openapi({ description: 'yield-feed: the recorded stake rate.' }),
    sourceMint: addressOut('Mint of the token that yields it.'),
    observedAt: dateOut('When the stake rate at the end of that epoch was recorded.'),
  })
  .openapi('UnderlyingApy');

const ProofOfReserves = z
  .strictObject({
    verified: z
      .boolean()
      .openapi({ description: 'Whether the operator of this deployment has verified the proof.' }),
    address: addressOut('Account in which the issuer of the token publishes the proof.'),
  })
  .openapi('ProofOfReserves');

const UNPRICED = '"0" when the price is unknown.';

export const ReserveStats = z
  .strictObject({
    token: addressOut('Mint of the token.'),
    collateralMintAddress: addressOut('Mint of the collateral token (cToken).'),
    rateType: z.enum(['variable', 'fixed']).openapi({
      description: 'variable: the borrow rate follows utilization. fixed: it is the same at any utilization.',
    }),
    fixedTerm: orNull(FixedTerm, 'Term of its debts. Null when they have none.'),
    debtMaturityTimestamp: dateOut(
      'Date on which all its debts end. Null when there is no such date.',
    ).nullable(),
    status: z.enum(['Active', 'Obsolete', 'Hidden', 'Unknown']).openapi({
      description:
        'Active: open. Obsolete: closed for new positions. Hidden: open, not listed by default. Unknown: a status that this version does not know.',
    }),
    interestRateBasis: z.enum(['trueApr', 'legacy']).openapi({
      description:
        'trueApr: interest accrues per second at the rates of the curve. legacy: it accrues per slot, at rates for slots of 500 ms; rates of this answer are scaled to the real length of slots.',
    }),
    hostFixedInterestRateBps: bps('Rate per year for the host on top of the borrow curve'),
    protocolTakeRatePct: z
      .int()
      .min(0)
      .openapi({ description: 'Part of the interest that the protocol takes, in percent.' }),
    supplyApy: averaged('APY of suppliers from interest'),
    borrowApy: averaged('APY for borrowers from interest'),
    underlyingApy: orNull(
      UnderlyingApy,
      'Yield of the token itself: staking rewards of a liquid-staking token. Null for any other token, while two epochs have not been recorded, and when this deployment records no history.',
    ),
    supplyApyBreakdown: z
      .strictObject({
        lending: decimalOut('From interest, as a fraction: `supplyApy.current`.'),
        incentives: decimalOut('From the farm and from rewards of the reserve itself, as a fraction.'),
        seasonRewards: decimalOut('From campaigns of the current season, as a fraction.'),
        underlying: decimalOut(
          'From holding the token, as a fraction: `underlyingApy.current`. "0" when it is unknown.',
        ),
        total: decimalOut('Sum of the four parts, as a fraction.'),
      })
      .openapi({ description: 'The current APY of suppliers by source.' }),
    borrowApyBreakdown: z
      .strictObject({
        borrow: decimalOut('Interest, as a fraction: `borrowApy.current`.'),
        incentives: decimalOut('Rewards of the farm, as a fraction.'),
        seasonRewards: decimalOut('Rewards of campaigns of the current season, as a fraction.'),
        total: decimalOut(
          '`borrow` less `incentives` and `seasonRewards`, as a fraction. Negative when rewards exceed interest.',
        ),
      })
      .openapi({ description: 'The current APY for borrowers by source.' }),
    utilization: Utilization,
    autoDeleverage: AutoDeleverage,
    supplyRewardApys: z.array(RewardApy).openapi({
      description: 'Rewards of suppliers: of the farm, of the reserve itself, then of campaigns.',
    }),
    borrowRewardApys: z
      .array(RewardApy)
      .openapi({ description: 'Rewards of borrowers: of the farm, then of campaigns.' }),
    pairIncentives: z.array(LendingReward).openapi({
      description:
        'Campaigns for supplying this reserve and borrowing from another one, or the reverse. No APY includes them.',
    }),
    pointsPrograms: z
      .array(z.strictObject({}).openapi('PointsProgram'))
      .openapi({ description: 'Always empty: points have no value that this deployment knows.' }),
    liquidityAvailable: decimalOut('Liquidity that can be withdrawn or borrowed now, in whole tokens.'),
    liquidityAvailableUsd: decimalOut(`\`liquidityAvailable\` in USD. ${UNPRICED}`),
    actualAvailableLiquidity: decimalOut(
      'Amount that anyone with enough collateral can borrow now, fees included, in whole tokens: the least of free liquidity, borrow limit, utilization limit and outflow cap. "0" when the lending program lends nothing. `borrowCaps` limit it further.',
    ),
    actualAvailableLiquidityUsd: decimalOut(`\`actualAvailableLiquidity\` in USD. ${UNPRICED}`),
    utilizationLimitBlockBorrowingAbovePct: z.int().min(0).openapi({
      description: 'Utilization above which borrowing is blocked, in percent. 0 when there is no such limit.',
    }),
    borrowCaps: BorrowCaps,
    totalSupply: decimalOut('Total that belongs to suppliers, with interest up to now, in whole tokens.'),
    totalSupplyUsd: decimalOut(`\`totalSupply\` in USD. ${UNPRICED}`),
    totalBorrow: decimalOut('Total borrowed, with interest up to now, in whole tokens.'),
    totalBorrowUsd: decimalOut(`\`totalBorrow\` in USD. ${UNPRICED}`),
    liqLTV: decimalOut(
      'Loan-to-value at which loans against this reserve can be liquidated, outside elevation groups, as a fraction.',
    ),
    maxLTV: decimalOut('Maximum loan-to-value outside elevation groups, as a fraction.'),
    borrowFactor: decimalOut('Factor by which a debt is multiplied before it is compared with limits.'),
    depositLimit: decimalOut('Maximum total supply, in whole tokens.'),
    borrowLimit: decimalOut('Maximum total borrow, in whole tokens.'),
    minLiquidationBonus: decimalOut('Minimum liquidation bonus, as a fraction.'),
    liquidationMaxDebtCloseFactorPct: z.int().min(0).openapi({
      description:
        'Maximum part of a debt that one liquidation may repay, in percent: a setting of the market. 0 when the market cannot be read.',
    }),
    limits: z
      .strictObject({
        depositWithdrawalCap: OutflowCap,
        debtWithdrawalCap: OutflowCap,
      })
      .openapi({ description: 'Limits on the net outflow by withdrawals and by borrows.' }),
    proofOfReserves: orNull(
      ProofOfReserves,
      'Proof of the reserves behind the token, from the catalogue of this deployment. Null when it has none.',
    ),
  })
  .openapi('ReserveStats');
