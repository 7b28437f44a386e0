import { lesser } from '@sluice/protocol/numeric/integer';
import { ZERO } from '@sluice/protocol/numeric/rational';
import { safeDate } from '../../domain/dates.ts';
import type { PaidRewardApy } from '../../services/farms/farms.ts';
import { type AveragedPeriod, recordedReserve } from '../../services/history/recorded-reserves.ts';
import type { StakingYield } from '../../services/history/staking-yields.ts';
import { borrowable, borrowCaps, type DebtCap } from '../../services/markets/borrow-caps.ts';
import type { ReserveRecord } from '../../services/request/records.ts';
import type { Session } from '../../services/request/session.ts';
import { marketAutodeleverage, reserveAutodeleverage } from '../../services/reserves/autodeleverage.ts';
import { reserveTerms } from '../../services/reserves/debt-terms.ts';
import * as reserves from '../../services/reserves/reserves.ts';
import { type WithdrawalCap, withdrawalCaps } from '../../services/reserves/withdrawal-caps.ts';
import { pairRewards } from '../../services/rewards/rewards.ts';
import { proofOfReserves, stakeRateSol } from '../../services/tokens/tokens.ts';
import type { Call } from '../operation/operation.ts';
import { type AnswerOf, UNKNOWN_DECIMAL, UNKNOWN_NUMBER } from '../operation/unknown-values.ts';
import { lendingRewardAnswer } from '../rewards/lending-answers.ts';
import { decimal, percent } from '../values/decimal.ts';
import type { OutflowCap } from './stats-caps.ts';
import type { ReserveStats } from './stats-shape.ts';

type Stats = AnswerOf<typeof ReserveStats>;

const BASES = { PER_SECOND: 'trueApr', PER_SLOT: 'legacy' } as const;

/** The statistics of a reserve, with the field names of the REST contract. */
export async function reserveStats(call: Call, reserve: ReserveRecord): Promise<Stats> {
  const { view } = call.session;
  const { config, liquidity } = reserve.value;
  const risk = reserves.reserveRisk(reserve.value);
  const limits = reserves.reserveLimits(view, reserve);
  const [supplied, borrowed] = [reserves.supplied(view, reserve), reserves.borrowed(view, reserve)];
  const [available, free] = [reserves.available(view, reserve), borrowable(view, reserve)];
  const outflow = withdrawalCaps(view, reserve);
  const proof = proofOfReserves(view, liquidity.mintPubkey);
  return {
    token: liquidity.mintPubkey,
    collateralMintAddress: reserve.value.collateral.mintPubkey,
    ...termsOf(call, reserve),
    status: reserves.statusWord(reserve.value),
    interestRateBasis: BASES[reserves.interestRateBasis(config)],
    hostFixedInterestRateBps: config.hostFixedInterestRateBps,
    protocolTakeRatePct: config.protocolTakeRatePct,
    ...(await yieldsOf(call, reserve)),
    ...liquidationOf(call, reserve),
    pairIncentives: pairRewards(view, reserve).map(lendingRewardAnswer),
    pointsPrograms: [],
    liquidityAvailable: decimal(available.amount),
    liquidityAvailableUsd: decimal(available.usd),
    actualAvailableLiquidity: decimal(free.amount),
    actualAvailableLiquidityUsd: decimal(free.usd),
    utilizationLimitBlockBorrowingAbovePct: config.utilizationLimitBlockBorrowingAbovePct,
    borrowCaps: borrowCapsOf(call, reserve),
    totalSupply: decimal(supplied.amount),
    totalSupplyUsd: decimal(supplied.usd),
    totalBorrow: decimal(borrowed.amount),
    totalBorrowUsd: decimal(borrowed.usd),
    liqLTV: decimal(risk.liquidationLtv),
    maxLTV: decimal(risk.maxLtv),
    borrowFactor: decimal(risk.borrowFactor),
    depositLimit: decimal(limits.deposit.amount),
    borrowLimit: decimal(limits.borrow.amount),
    minLiquidationBonus: decimal(risk.minLiquidationBonus),
    limits: {
      depositWithdrawalCap: outflowOf(outflow.deposit),
      debtWithdrawalCap: outflowOf(outflow.debt),
    },
    proofOfReserves: proof && { verified: proof.verified, address: proof.address },
  };
}

function termsOf({ session: { view } }: Call, reserve: ReserveRecord) {
  const { hasFixedRate, term, maturesAt } = reserveTerms(view, reserve);
  return {
    rateType: hasFixedRate ? ('fixed' as const) : ('variable' as const),
    fixedTerm:
      term === null
        ? null
        : { termSeconds: safeNumber(term), apy: decimal(reserves.borrowYield(view, reserve).base) },
    debtMaturityTimestamp: maturesAt === null ? null : safeDate(maturesAt).toISOString(),
  };
}

/** Yields and utilization, now and on average. */
async function yieldsOf({ session, platform }: Call, reserve: ReserveRecord) {
  const { view } = session;
  const { averages, underlying } = await recordedReserve(platform, session, reserve);
  const [supply, borrow] = [reserves.supplyYield(view, reserve), reserves.borrowYield(view, reserve)];
  const mean = (name: 'supplyApy' | 'borrowApy' | 'utilization') => (period: AveragedPeriod) => {
    const means = averages[period];
    return means && decimal(means[name]);
  };
  const utilization = mean('utilization');
  return {
    supplyApy: { current: decimal(supply.base), ...meansBy(mean('supplyApy')) },
    borrowApy: { current: decimal(borrow.base), ...meansBy(mean('borrowApy')) },
    underlyingApy: underlying && {
      current: decimal(underlying.latest.apy),
      sourceType: 'yield-feed' as const,
      sourceMint: underlying.mint,
      observedAt: underlying.latest.sampledAt.toISOString(),
    },
    supplyApyBreakdown: {
      lending: decimal(supply.base),
      incentives: decimal(supply.farmRewards.add(supply.reserveRewards)),
      seasonRewards: decimal(supply.incentives),
      underlying: underlyingPart(session, reserve, underlying),
      total: decimal(supply.total.add(underlying?.latest.apy ?? ZERO)),
    },
    borrowApyBreakdown: {
      borrow: decimal(borrow.base),
      incentives: decimal(borrow.farmRewards.add(borrow.reserveRewards).neg()),
      seasonRewards: decimal(borrow.incentives.neg()),
      total: decimal(borrow.total),
    },
    utilization: {
      current: decimal(reserves.utilization(view, reserve)),
      avg30d: utilization('D30'),
      avg90d: utilization('D90'),
      avg180d: utilization('D180'),
      avg365d: utilization('D365'),
    },
    supplyRewardApys: supply.rewards.map(rewardOf),
    borrowRewardApys: borrow.rewards.map(rewardOf),
  };
}

const meansBy = (mean: (period: AveragedPeriod) => string | null) => ({
  avg7d: mean('D7'),
  avg14d: mean('D14'),
  avg30d: mean('D30'),
  avg60d: mean('D60'),
  avg90d: mean('D90'),
  avg180d: mean('D180'),
});

/** Zero for a token that yields nothing itself, unknown for a liquid-staking token whose yield is not recorded yet. */
function underlyingPart({ view }: Session, { value }: ReserveRecord, underlying: StakingYield | null) {
  if (underlying !== null) return decimal(underlying.latest.apy);
  return stakeRateSol(view, value.liquidity.mintPubkey) === null ? '0' : UNKNOWN_DECIMAL;
}

const rewardOf = ({ mint, farm, apy, tokensPerSecond }: PaidRewardApy) => ({
  rewardToken: mint,
  farm,
  apy: decimal(apy),
  tokensPerSecond: decimal(tokensPerSecond),
});

/** The settings of reserve and market for liquidations. */
function liquidationOf({ session: { view } }: Call, reserve: ReserveRecord) {
  const own = reserveAutodeleverage(reserve);
  const market = view.get('market', reserve.value.lendingMarket);
  const common = market && marketAutodeleverage(market);
  return {
    autoDeleverage: {
      reserve: {
        enabled: own.enabled,
        marginCallPeriodSecs: safeNumber(own.marginCallSeconds),
        thresholdDecreaseBpsPerDay: safeNumber(own.thresholdDecreaseBpsPerDay),
        bonusIncreaseBpsPerDay: safeNumber(own.bonusIncreaseBpsPerDay),
        minBonusBps: own.minBonusBps,
      },
      market:
        common === undefined
          ? null
          : {
              enabled: common.enabled,
              individualMarginCallPeriodSecs: safeNumber(common.individualMarginCallSeconds),
            },
    },
    liquidationMaxDebtCloseFactorPct: market?.value.liquidationMaxDebtCloseFactorPct ?? UNKNOWN_NUMBER,
  };
}

function borrowCapsOf({ session: { view } }: Call, reserve: ReserveRecord): Stats['borrowCaps'] {
  const { outsideElevationGroups, againstCollateral } = borrowCaps(view, reserve);
  return {
    utilization: {
      limitPct: reserve.value.config.utilizationLimitBlockBorrowingAbovePct,
      currentPct: percent(reserves.utilization(view, reserve)),
    },
    netWithdrawal: outflowOf(withdrawalCaps(view, reserve).debt),
    globalDebt: {
      capacity: decimal(reserves.reserveLimits(view, reserve).borrow.amount),
      currentTotal: decimal(reserves.borrowed(view, reserve).amount),
    },
    debtOutsideElevationGroup: capOf(outsideElevationGroups),
    debtAgainstCollateral: againstCollateral.map(({ collateral, elevationGroup, ...cap }) => ({
      collateralReserve: collateral.address,
      elevationGroup,
      ...capOf(cap),
    })),
  };
}

const capOf = ({ capacity, currentTotal }: DebtCap) => ({
  capacity: capacity && decimal(capacity.amount),
  currentTotal: decimal(currentTotal.amount),
});

const outflowOf = (cap: WithdrawalCap): AnswerOf<typeof OutflowCap> => ({
  capacity: decimal(cap.capacity.amount),
  currentTotal: decimal(cap.currentTotal.amount),
  intervalLengthSeconds: safeNumber(cap.intervalSeconds),
  lastIntervalStartTimestamp: cap.intervalStartedAt.toISOString(),
});

/** The nearest integer that JSON has: accounts may hold any number. */
const safeNumber = (value: bigint): number => Number(lesser(value, BigInt(Number.MAX_SAFE_INTEGER)));
