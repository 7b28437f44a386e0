import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, ZERO } from '@sluice/protocol/numeric/rational';
import { exact } from '../../../packages/protocol/test/support/numbers.ts';
import type { Amount } from './graph-values.ts';
import { type GraphCampaign, LENDING_REWARD_FIELDS, restCampaign } from './lending-rewards.ts';
import { type NullRule, ZeroForNull } from './null-rule.ts';

interface Cap {
  readonly capacity: Amount | null;
  readonly currentTotal: Amount;
}

interface Outflow {
  readonly capacity: Amount;
  readonly currentTotal: Amount;
  readonly intervalSeconds: string;
  readonly intervalStartedAt: string;
}

interface Averages {
  readonly supply: string;
  readonly borrow: string;
}

interface GraphYield {
  readonly base: string;
  readonly farmRewards: string;
  readonly reserveRewards: string;
  readonly incentives: string;
  readonly total: string;
  readonly rewards: readonly {
    readonly token: { readonly mint: string };
    readonly farmAddress: string | null;
    readonly apy: string;
    readonly tokensPerSecond: string;
  }[];
}

export interface GraphReserve extends Readonly<Record<`days${number}`, Averages | null>> {
  readonly address: string;
  readonly token: {
    readonly mint: string;
    readonly stakeRateSol: string | null;
    readonly proofOfReserves: { readonly verified: boolean; readonly address: string } | null;
  };
  readonly collateralToken: { readonly mint: string };
  readonly terms: {
    readonly rate: string;
    readonly termSeconds: string | null;
    readonly maturesAt: string | null;
  };
  readonly status: string;
  readonly interestRateBasis: string;
  readonly fees: { readonly hostFixedRate: string; readonly protocolTake: string };
  readonly supplyApy: GraphYield;
  readonly borrowApy: GraphYield;
  readonly utilization: string;
  readonly used30: string | null;
  readonly used90: string | null;
  readonly used180: string | null;
  readonly used365: string | null;
  readonly underlyingApy: {
    readonly apy: string;
    readonly observedAt: string;
    readonly token: { readonly mint: string };
  } | null;
  readonly autodeleverage: {
    readonly enabled: boolean;
    readonly marginCallSeconds: string;
    readonly thresholdDecreaseBpsPerDay: string;
    readonly bonusIncreaseBpsPerDay: string;
    readonly minBonusBps: number;
  };
  readonly market: {
    readonly autodeleverage: { readonly enabled: boolean; readonly individualMarginCallSeconds: string };
    readonly closeFactor: string;
  };
  readonly rewards: readonly GraphCampaign[];
  readonly available: Amount;
  readonly borrowable: Amount;
  readonly supplied: Amount;
  readonly borrowed: Amount;
  readonly risk: {
    readonly liquidationLtv: string;
    readonly maxLtv: string;
    readonly borrowFactor: string;
    readonly minLiquidationBonus: string;
  };
  readonly limits: {
    readonly deposit: Amount;
    readonly borrow: Amount;
    readonly utilizationBorrowBlock: string | null;
  };
  readonly withdrawalCaps: { readonly deposit: Outflow; readonly debt: Outflow };
  readonly borrowCaps: {
    readonly outsideElevationGroups: Cap;
    readonly againstCollateral: readonly (Cap & {
      readonly collateralReserve: { readonly address: string };
      readonly elevationGroup: number;
    })[];
  };
}

const CAP_FIELDS = 'capacity { amount } currentTotal { amount }';
const YIELD = `base farmRewards reserveRewards incentives total
  rewards { token { mint } farmAddress apy tokensPerSecond }`;
const DAYS = [7, 14, 30, 60, 90, 180];

export const FIELDS = `address token { mint stakeRateSol proofOfReserves { verified address } } collateralToken { mint } status
  terms { rate termSeconds maturesAt } interestRateBasis fees { hostFixedRate protocolTake }
  supplyApy { ${YIELD} } borrowApy { ${YIELD} }
  ${DAYS.map((days) => `days${days}: averageInterestApy(over: D${days}) { supply borrow }`).join(' ')}
  utilization ${[30, 90, 180, 365].map((days) => `used${days}: averageUtilization(over: D${days})`).join(' ')}
  underlyingApy { apy observedAt token { mint } }
  autodeleverage { enabled marginCallSeconds thresholdDecreaseBpsPerDay bonusIncreaseBpsPerDay minBonusBps }
  market { autodeleverage { enabled individualMarginCallSeconds } closeFactor }
  rewards { ${LENDING_REWARD_FIELDS} }
  available { amount usd } borrowable { amount usd } supplied { amount usd } borrowed { amount usd }
  risk { liquidationLtv maxLtv borrowFactor minLiquidationBonus }
  limits { deposit { amount } borrow { amount } utilizationBorrowBlock }
  withdrawalCaps { deposit { ${CAP_FIELDS} intervalSeconds intervalStartedAt } debt { ${CAP_FIELDS} intervalSeconds intervalStartedAt } }
  borrowCaps {
    outsideElevationGroups { ${CAP_FIELDS} } againstCollateral { collateralReserve { address } elevationGroup ${CAP_FIELDS} }
  }`;

const restCap = ({ capacity, currentTotal }: Cap) => ({
  capacity: capacity?.amount ?? null,
  currentTotal: currentTotal.amount,
});

const restOutflow = ({ capacity, currentTotal, intervalSeconds, intervalStartedAt }: Outflow) => ({
  capacity: capacity.amount,
  currentTotal: currentTotal.amount,
  intervalLengthSeconds: Number(intervalSeconds),
  lastIntervalStartTimestamp: intervalStartedAt,
});

const restRewards = ({ rewards }: GraphYield) =>
  rewards.map(({ token, farmAddress, apy, tokensPerSecond }) => ({
    rewardToken: token.mint,
    farm: farmAddress,
    apy,
    tokensPerSecond,
  }));

const added = (...parts: readonly string[]) =>
  toDecimalString(parts.reduce((sum, part) => sum.add(exact(part)), ZERO));
const negated = (part: string) => toDecimalString(exact(part).neg());
const hundredfold = (fraction: string) => toDecimalString(exact(fraction).mul(integer(100)));
const inPercent = (fraction: string | null) => (fraction === null ? 0 : Number(hundredfold(fraction)));

function restMeans(reserve: GraphReserve, side: keyof Averages) {
  return Object.fromEntries(DAYS.map((days) => [`avg${days}d`, reserve[`days${days}`]?.[side] ?? null]));
}

export function restStats(rule: NullRule, reserve: GraphReserve) {
  const { supplyApy, borrowApy, underlyingApy, borrowCaps, terms, autodeleverage, market } = reserve;
  const { token, fees, risk, limits, withdrawalCaps } = reserve;
  const underlying = underlyingApy?.apy ?? (token.stakeRateSol === null ? '0' : new ZeroForNull('0'));
  const blockPct = inPercent(limits.utilizationBorrowBlock);
  return {
    token: token.mint,
    collateralMintAddress: reserve.collateralToken.mint,
    rateType: terms.rate === 'FIXED' ? 'fixed' : 'variable',
    fixedTerm: terms.termSeconds && { termSeconds: Number(terms.termSeconds), apy: borrowApy.base },
    debtMaturityTimestamp: terms.maturesAt,
    status: `${reserve.status.slice(0, 1)}${reserve.status.slice(1).toLowerCase()}`,
    interestRateBasis: reserve.interestRateBasis === 'PER_SECOND' ? 'trueApr' : 'legacy',
    hostFixedInterestRateBps: Number(hundredfold(hundredfold(fees.hostFixedRate))),
    protocolTakeRatePct: inPercent(fees.protocolTake),
    supplyApy: { current: supplyApy.base, ...restMeans(reserve, 'supply') },
    borrowApy: { current: borrowApy.base, ...restMeans(reserve, 'borrow') },
    underlyingApy: underlyingApy && {
      current: underlyingApy.apy,
      sourceType: 'yield-feed',
      sourceMint: underlyingApy.token.mint,
      observedAt: underlyingApy.observedAt,
    },
    supplyApyBreakdown: {
      lending: supplyApy.base,
      incentives: added(supplyApy.farmRewards, supplyApy.reserveRewards),
      seasonRewards: supplyApy.incentives,
      underlying,
      total: added(supplyApy.total, underlyingApy?.apy ?? '0'),
    },
    borrowApyBreakdown: {
      borrow: borrowApy.base,
      incentives: negated(added(borrowApy.farmRewards, borrowApy.reserveRewards)),
      seasonRewards: negated(borrowApy.incentives),
      total: borrowApy.total,
    },
    utilization: {
      current: reserve.utilization,
      avg30d: reserve.used30,
      avg90d: reserve.used90,
      avg180d: reserve.used180,
      avg365d: reserve.used365,
    },
    autoDeleverage: {
      reserve: {
        enabled: autodeleverage.enabled,
        marginCallPeriodSecs: Number(autodeleverage.marginCallSeconds),
        thresholdDecreaseBpsPerDay: Number(autodeleverage.thresholdDecreaseBpsPerDay),
        bonusIncreaseBpsPerDay: Number(autodeleverage.bonusIncreaseBpsPerDay),
        minBonusBps: autodeleverage.minBonusBps,
      },
      market: {
        enabled: market.autodeleverage.enabled,
        individualMarginCallPeriodSecs: Number(market.autodeleverage.individualMarginCallSeconds),
      },
    },
    supplyRewardApys: restRewards(supplyApy),
    borrowRewardApys: restRewards(borrowApy),
    pairIncentives: reserve.rewards
      .filter(({ depositReserve, borrowReserve }) => depositReserve !== null && borrowReserve !== null)
      .map((each) => restCampaign(each, rule)),
    pointsPrograms: [],
    liquidityAvailable: reserve.available.amount,
    liquidityAvailableUsd: rule.decimal(reserve.available.usd),
    actualAvailableLiquidity: reserve.borrowable.amount,
    actualAvailableLiquidityUsd: rule.decimal(reserve.borrowable.usd),
    utilizationLimitBlockBorrowingAbovePct: blockPct,
    borrowCaps: {
      utilization: { limitPct: blockPct, currentPct: hundredfold(reserve.utilization) },
      netWithdrawal: restOutflow(withdrawalCaps.debt),
      globalDebt: { capacity: limits.borrow.amount, currentTotal: reserve.borrowed.amount },
      debtOutsideElevationGroup: restCap(borrowCaps.outsideElevationGroups),
      debtAgainstCollateral: borrowCaps.againstCollateral.map(
        ({ collateralReserve, elevationGroup, ...cap }) => ({
          collateralReserve: collateralReserve.address,
          elevationGroup,
          ...restCap(cap),
        }),
      ),
    },
    totalSupply: reserve.supplied.amount,
    totalSupplyUsd: rule.decimal(reserve.supplied.usd),
    totalBorrow: reserve.borrowed.amount,
    totalBorrowUsd: rule.decimal(reserve.borrowed.usd),
    liqLTV: risk.liquidationLtv,
    maxLTV: risk.maxLtv,
    borrowFactor: risk.borrowFactor,
    depositLimit: limits.deposit.amount,
    borrowLimit: limits.borrow.amount,
    minLiquidationBonus: risk.minLiquidationBonus,
    liquidationMaxDebtCloseFactorPct: inPercent(market.closeFactor),
    limits: {
      depositWithdrawalCap: restOutflow(withdrawalCaps.deposit),
      debtWithdrawalCap: restOutflow(withdrawalCaps.debt),
    },
    proofOfReserves: token.proofOfReserves,
  };
}
