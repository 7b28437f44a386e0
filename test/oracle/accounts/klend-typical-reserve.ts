import type { ReserveFields } from '@kamino-finance/klend-sdk/dist/@codegen/klend/accounts/Reserve.js';
import { NULL_KEY, SF, SLOT, TOKEN_PROGRAM, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides, textBytes } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Fields = Overrides<ReserveFields>;
type Liquidity = NonNullable<Fields['liquidity']>;
type Config = NonNullable<Fields['config']>;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Points of a curve as (utilization, rate) in basis points; the last one fills the places that are left. */
export const curve = (points: [number, number][]): Config['borrowRateCurve'] => ({
  points: times(11, (index) => {
    const [utilizationRateBps, borrowRateBps] = points[Math.min(index, points.length - 1)] ?? [0, 0];
    return { utilizationRateBps, borrowRateBps };
  }),
});

/** A rate of 68.60 fixed point in the lowest two limbs, as the program stores it. */
export const rate = (value: bigint) => ({ value: [bn(value & U64_MAX), bn(value >> 64n)] });

function typicalLiquidity(prng: Prng): Liquidity {
  return {
    mintPubkey: prng.address(),
    supplyVault: prng.address(),
    feeVault: prng.address(),
    totalAvailableAmount: bn(12_345_678_901_234n),
    borrowedAmountSf: bn(34_567_890_123_456n * SF + prng.between(0n, SF - 1n)),
    marketPriceSf: bn((SF * 99_987n) / 100_000n),
    marketPriceLastUpdatedTs: bn(UNIX_SECONDS - 3n),
    mintDecimals: bn(6),
    cumulativeBorrowRateBsf: rate((SF * 1_183_457n) / 1_000_000n + prng.between(0n, 1_000_000n)),
    accumulatedProtocolFeesSf: bn(98_765_432n * SF + prng.between(0n, SF - 1n)),
    accumulatedReferrerFeesSf: bn(1_234_567n * SF),
    pendingReferrerFeesSf: bn(7_654n * SF),
    absoluteReferralRateSf: bn(SF / 1_000n),
    tokenProgram: TOKEN_PROGRAM,
  };
}

function typicalConfig(prng: Prng): Config {
  return {
    protocolTakeRatePct: 15,
    protocolLiquidationFeePct: 50,
    loanToValuePct: 80,
    liquidationThresholdPct: 85,
    minLiquidationBonusBps: 200,
    maxLiquidationBonusBps: 500,
    badDebtLiquidationBonusBps: 99,
    deleveragingMarginCallPeriodSecs: bn(259_200),
    deleveragingThresholdDecreaseBpsPerDay: bn(24),
    fees: { originationFeeSf: bn(SF / 10_000n), flashLoanFeeSf: bn(SF / 100_000n) },
    borrowRateCurve: curve([
      [0, 1],
      [6_000, 350],
      [8_000, 600],
      [9_200, 1_200],
      [10_000, 9_000],
    ]),
    borrowFactorPct: bn(100),
    depositLimit: bn(250_000_000_000_000n),
    borrowLimit: bn(200_000_000_000_000n),
    tokenInfo: {
      name: textBytes('USDC', 32),
      heuristic: { lower: bn(99), upper: bn(101), exp: bn(2) },
      maxTwapDivergenceBps: bn(300),
      maxAgePriceSeconds: bn(120),
      maxAgeTwapSeconds: bn(240),
      scopeConfiguration: {
        priceFeed: prng.address(),
        priceChain: [13, 65_535, 65_535, 65_535],
        twapChain: [57, 65_535, 65_535, 65_535],
      },
      switchboardConfiguration: { priceAggregator: NULL_KEY, twapAggregator: NULL_KEY },
      pythConfiguration: { price: NULL_KEY },
    },
    depositWithdrawalCap: caps(50_000_000_000_000n, 1_234_567_890n),
    debtWithdrawalCap: caps(30_000_000_000_000n, -987_654_321n),
    utilizationLimitBlockBorrowingAbovePct: 95,
    borrowLimitOutsideElevationGroup: bn(U64_MAX),
  };
}

export const caps = (capacity: bigint, total: bigint) => ({
  configCapacity: bn(capacity),
  currentTotal: bn(total),
  lastIntervalStartTimestamp: bn(UNIX_SECONDS - 4_000n),
  configIntervalLengthSeconds: bn(86_400),
});

/** A stable coin's reserve without farms or elevation groups. */
export function typical(prng: Prng, liquidity: Liquidity = {}, config: Config = {}): Fields {
  return {
    version: bn(1),
    lastUpdate: { slot: bn(SLOT), stale: 0, priceStatus: 63 },
    lendingMarket: prng.address(),
    liquidity: { ...typicalLiquidity(prng), ...liquidity },
    collateral: {
      mintPubkey: prng.address(),
      mintTotalSupply: bn(41_234_567_890_123n),
      supplyVault: prng.address(),
    },
    config: { ...typicalConfig(prng), ...config },
    borrowedAmountOutsideElevationGroup: bn(4_567_890_123n),
  };
}
