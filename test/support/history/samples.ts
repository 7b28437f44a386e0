import { createHash } from 'node:crypto';
import { parseDecimal, toStoredDecimal } from '@sluice/protocol/numeric/decimal';
import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { type Address, getAddressDecoder } from '@solana/kit';
import type {
  LoanSample,
  MarketSample,
  PriceSample,
  ReserveConfigSample,
  ReserveSample,
  RewardSample,
  Snapshot,
  VaultSample,
} from '../../../src/store/history/samples.ts';

export const d = (text: string): Rational => parseDecimal(text);
export const at = (iso: string): Date => new Date(iso);

/** An address that is the same for the same name. */
export function named(name: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(name).digest());
}

export function vaultSample(name: string, changes: Partial<VaultSample> = {}): VaultSample {
  return {
    vault: named(name),
    tvlTokens: d('1000.5'),
    tvlUsd: d('1000.25'),
    tvlSol: d('5'),
    tokensPerShare: d('1.05'),
    tokenPriceUsd: d('0.9999'),
    sharePriceUsd: d('1.049895'),
    sharesIssued: d('952.857142'),
    apyActual: d('0.05'),
    apyTheoretical: d('0.06'),
    apyFarmRewards: d('0.01'),
    apyIncentives: d('0'),
    apyReservesIncentives: d('0.002'),
    interest: d('50.5'),
    interestUsd: d('50.4'),
    interestSol: d('0.25'),
    interestPerSecond: d('0.0001'),
    performanceFees: d('1.5'),
    managementFees: d('0.25'),
    holders: 12,
    allocations: [
      { reserve: named('reserve-a'), ratio: d('0.75') },
      { reserve: named('reserve-b'), ratio: d('0.25') },
    ],
    rewards: [{ mint: named('reward-mint'), apy: d('0.01') }],
    ...changes,
  };
}

export function reserveConfig(changes: Partial<ReserveConfigSample> = {}): ReserveConfigSample {
  return {
    market: named('market'),
    status: 'Active',
    symbol: 'USDC',
    mintAddress: named('usdc'),
    decimals: 6,
    loanToValue: 0.8,
    liquidationThreshold: 0.85,
    borrowFactor: 100,
    protocolTakeRate: 0.1,
    minLiquidationBonus: 0.02,
    maxLiquidationBonus: 0.1,
    reserveDepositLimit: '18446744073709551615',
    reserveBorrowLimit: '1000000000000',
    hostFixedInterestRate: '0.01',
    borrowLimitOutsideElevationGroup: '18446744073709551615',
    borrowLimitAgainstCollateralInElevationGroups: ['0', '1000'],
    borrowCurve: [
      [0, 0.0001],
      [1, 1.5],
    ],
    ...changes,
  };
}

/** A reserve has 32 elevation groups; those that are not named have no debt. */
export function inGroups(...amounts: readonly Rational[]): readonly Rational[] {
  return Array.from({ length: 32 }, (_, group) => amounts[group] ?? d('0'));
}

export function reserveSample(name: string, changes: Partial<ReserveSample> = {}): ReserveSample {
  return {
    reserve: named(name),
    config: reserveConfig(),
    borrowApy: d('0.08'),
    supplyApy: d('0.06'),
    totalSupply: d('100000'),
    totalBorrows: d('75000'),
    totalLiquidity: d('25000'),
    priceUsd: d('1.0001'),
    exchangeRate: d('0.95'),
    cumulativeBorrowRate: d('1.12'),
    mintTotalSupply: d('95000'),
    accumulatedProtocolFees: d('12.5'),
    borrowOutsideGroup: d('100'),
    borrowedInGroups: inGroups(d('1'), d('2.5')),
    borrowLimitCrossedAt: 0n,
    depositLimitCrossedAt: 1_700_000_000n,
    rewards: [],
    ...changes,
  };
}

export function marketSample(name: string, changes: Partial<MarketSample> = {}): MarketSample {
  return { market: named(name), depositUsd: d('5000'), borrowUsd: d('3000'), obligations: 42, ...changes };
}

export function priceSample(name: string, changes: Partial<PriceSample> = {}): PriceSample {
  return { mint: named(name), priceUsd: d('150.25'), stakeRateSol: null, ...changes };
}

export function rewardSample(changes: Partial<RewardSample> = {}): RewardSample {
  return {
    depositReserve: named('reserve-a'),
    borrowReserve: null,
    market: named('market'),
    rewardMint: named('reward-mint'),
    source: 'Season1',
    apy: d('0.03'),
    tokensPerSecond: d('0.5'),
    activePositionsUsd: d('1000000'),
    ...changes,
  };
}

/** A snapshot of the given samples only. */
export function snapshot(sampledAt: Date, changes: Partial<Snapshot> = {}): Snapshot {
  return {
    slot: BigInt(Math.floor(sampledAt.getTime() / 400)),
    sampledAt,
    vaults: [],
    reserves: [],
    markets: [],
    prices: [],
    rewards: [],
    ...changes,
  };
}

/** One of each kind. */
export function fullSnapshot(sampledAt: Date): Snapshot {
  return snapshot(sampledAt, {
    vaults: [vaultSample('vault')],
    reserves: [reserveSample('reserve-a')],
    markets: [marketSample('market')],
    prices: [priceSample('sol')],
    rewards: [rewardSample()],
  });
}

/** Numbers as they are stored and instants as text, so that equal values compare equal. */
export function plain(value: unknown): unknown {
  if (value instanceof Rational) return toStoredDecimal(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Of a scan that found no loans. */
export const NO_LOANS: LoanSample = {
  loans: 0,
  unvalued: 0,
  depositedUsd: ZERO,
  borrowedUsd: ZERO,
  factoredUsd: ZERO,
  maxLtv: ZERO,
  byStatus: { HEALTHY: 0, AT_RISK: 0, LIQUIDATABLE: 0 },
};
