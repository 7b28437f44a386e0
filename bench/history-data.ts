import { createHash } from 'node:crypto';
import { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { ReserveConfigSample, Snapshot } from '../src/store/history/samples.ts';

/** Number of objects of each kind. */
export interface Size {
  readonly vaults: number;
  readonly reserves: number;
  readonly markets: number;
  readonly prices: number;
}

/** About the size of mainnet. */
export const MAINNET: Size = { vaults: 170, reserves: 300, markets: 30, prices: 300 };

const addresses = new Map<string, Address>();

export function addressOf(kind: string, index: number): Address {
  const name = `${kind} ${index}`;
  const known = addresses.get(name) ?? getAddressDecoder().decode(createHash('sha256').update(name).digest());
  addresses.set(name, known);
  return known;
}

/** As many digits as real yields and prices: thirty decimals, different every minute. */
function value(seed: number, whole: bigint): Rational {
  const digits = BigInt(Math.floor(Math.abs(Math.sin(seed)) * 1e15)) * 10n ** 15n + BigInt(seed % 99_991);
  return Rational.of(whole * 10n ** 30n + digits, 10n ** 30n);
}

const range = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** A snapshot with synthetic values. */
export function madeUpSnapshot(sampledAt: Date, size: Size): Snapshot {
  const minute = Math.floor(sampledAt.getTime() / 60_000);
  const of = (index: number, field: number, whole = 0n) =>
    value(minute * 7 + index * 131 + field * 17, whole);
  return {
    slot: BigInt(minute * 150),
    sampledAt,
    vaults: range(size.vaults, (i) => ({
      vault: addressOf('vault', i),
      tvlTokens: of(i, 1, 1_000_000n),
      tvlUsd: of(i, 2, 1_000_000n),
      tvlSol: of(i, 3, 7_000n),
      tokensPerShare: of(i, 4, 1n),
      tokenPriceUsd: of(i, 5, 1n),
      sharePriceUsd: of(i, 6, 1n),
      sharesIssued: of(i, 7, 900_000n),
      apyActual: of(i, 8),
      apyTheoretical: of(i, 9),
      apyFarmRewards: of(i, 10),
      apyIncentives: of(i, 11),
      apyReservesIncentives: of(i, 12),
      interest: of(i, 13, 50_000n),
      interestUsd: of(i, 14, 50_000n),
      interestSol: of(i, 15, 300n),
      interestPerSecond: of(i, 16),
      performanceFees: of(i, 17),
      managementFees: of(i, 18),
      holders: 1_000 + i,
      allocations: range(5, (place) => ({
        reserve: addressOf('reserve', i + place),
        ratio: of(i, 17 + place),
      })),
      rewards: [{ mint: addressOf('price', i % size.prices), apy: of(i, 30) }],
    })),
    reserves: range(size.reserves, (i) => ({
      reserve: addressOf('reserve', i),
      config: configOf(i, size),
      borrowApy: of(i, 41),
      supplyApy: of(i, 42),
      totalSupply: of(i, 43, 5_000_000n),
      totalBorrows: of(i, 44, 3_000_000n),
      totalLiquidity: of(i, 45, 2_000_000n),
      priceUsd: of(i, 46, 150n),
      exchangeRate: of(i, 47),
      cumulativeBorrowRate: of(i, 48, 1n),
      mintTotalSupply: of(i, 49, 4_000_000n),
      accumulatedProtocolFees: of(i, 50, 1_000n),
      borrowOutsideGroup: of(i, 51, 1_000n),
      borrowedInGroups: range(32, () => Rational.of(0n)),
      borrowLimitCrossedAt: 0n,
      depositLimitCrossedAt: 0n,
      rewards: [],
    })),
    markets: range(size.markets, (i) => ({
      market: addressOf('market', i),
      depositUsd: of(i, 61, 90_000_000n),
      borrowUsd: of(i, 62, 60_000_000n),
      obligations: 20_000,
    })),
    prices: range(size.prices, (i) => ({
      mint: addressOf('price', i),
      priceUsd: of(i, 71, 150n),
      stakeRateSol: i % 10 === 0 ? of(i, 72, 1n) : null,
    })),
    rewards: [],
  };
}

const configs = new Map<number, ReserveConfigSample>();

function configOf(index: number, size: Size): ReserveConfigSample {
  const known = configs.get(index) ?? {
    market: addressOf('market', index % size.markets),
    status: 'Active',
    symbol: `T${index}`,
    mintAddress: addressOf('price', index % size.prices),
    decimals: 6,
    loanToValue: 0.8,
    liquidationThreshold: 0.85,
    borrowFactor: 100,
    protocolTakeRate: 0.1,
    minLiquidationBonus: 0.02,
    maxLiquidationBonus: 0.1,
    reserveDepositLimit: '1000000000000',
    reserveBorrowLimit: '1000000000000',
    hostFixedInterestRate: '0.01',
    borrowLimitOutsideElevationGroup: '1000000',
    borrowLimitAgainstCollateralInElevationGroups: [],
    borrowCurve: [
      [0, 0.0001],
      [1, 1.5],
    ],
  };
  configs.set(index, known);
  return known;
}
