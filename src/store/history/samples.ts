import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';

/**
 * Everything the recorder read at one pinned slot. Accounts that could not be read are missing from the
 * lists.
 */
export interface Snapshot {
  readonly slot: bigint;
  /** Time of the slot by the cluster's clock; its minute is the bucket. */
  readonly sampledAt: Date;
  readonly vaults: readonly VaultSample[];
  readonly reserves: readonly ReserveSample[];
  readonly markets: readonly MarketSample[];
  readonly prices: readonly PriceSample[];
  readonly rewards: readonly RewardSample[];
}

/** The APY that one reward token adds, as a fraction. */
export interface SampledReward {
  readonly mint: Address;
  readonly apy: Rational;
}

/** Amounts are whole tokens of the vault's mint. Nullable amounts are null in imported history. */
export interface VaultSample {
  readonly vault: Address;
  readonly tvlTokens: Rational | null;
  /** Null without a price, like all values in USD and SOL. */
  readonly tvlUsd: Rational | null;
  readonly tvlSol: Rational | null;
  readonly tokensPerShare: Rational | null;
  readonly tokenPriceUsd: Rational | null;
  readonly sharePriceUsd: Rational | null;
  readonly sharesIssued: Rational | null;
  /** Organic yield of the actual allocation. */
  readonly apyActual: Rational;
  /** Null when no weight is set. */
  readonly apyTheoretical: Rational | null;
  readonly apyFarmRewards: Rational;
  readonly apyIncentives: Rational;
  readonly apyReservesIncentives: Rational;
  /** Earned since the vault was created. */
  readonly interest: Rational;
  readonly interestUsd: Rational | null;
  readonly interestSol: Rational | null;
  readonly interestPerSecond: Rational | null;
  /** Since the vault was created; null in imported history, and where it was not recorded yet. So is `managementFees`. */
  readonly performanceFees: Rational | null;
  readonly managementFees: Rational | null;
  /** Null until they are first counted. */
  readonly holders: number | null;
  readonly allocations: readonly { readonly reserve: Address; readonly ratio: Rational }[];
  readonly rewards: readonly SampledReward[];
}

/** Settings of a reserve that rarely change, with the field names of the REST API. */
export interface ReserveConfigSample {
  readonly market: Address;
  readonly status: string;
  readonly symbol: string;
  readonly mintAddress: Address;
  readonly decimals: number;
  readonly loanToValue: number;
  readonly liquidationThreshold: number;
  /** 100 is 1.0. */
  readonly borrowFactor: number;
  readonly protocolTakeRate: number;
  readonly minLiquidationBonus: number;
  readonly maxLiquidationBonus: number;
  /** Decimal strings from here on; limits in base units. */
  readonly reserveDepositLimit: string;
  readonly reserveBorrowLimit: string;
  readonly hostFixedInterestRate: string;
  readonly borrowLimitOutsideElevationGroup: string;
  readonly borrowLimitAgainstCollateralInElevationGroups: readonly string[];
  readonly borrowCurve: readonly (readonly [utilization: number, rate: number])[];
}

/** Amounts in whole tokens. */
export interface ReserveSample {
  readonly reserve: Address;
  readonly config: ReserveConfigSample;
  readonly borrowApy: Rational;
  /** Interest only, without rewards. */
  readonly supplyApy: Rational;
  readonly totalSupply: Rational;
  readonly totalBorrows: Rational;
  readonly totalLiquidity: Rational;
  /** The price stored in the reserve; null when it stores none. */
  readonly priceUsd: Rational | null;
  /**
   * Only for a sample that represents a whole bucket: the mean of its prices, if known in addition to the
   * last.
   */
  readonly meanPriceUsd?: Rational | null;
  /** Collateral per liquidity. */
  readonly exchangeRate: Rational;
  /** Null in imported history. */
  readonly cumulativeBorrowRate: Rational | null;
  readonly mintTotalSupply: Rational;
  readonly accumulatedProtocolFees: Rational;
  readonly borrowOutsideGroup: Rational;
  readonly borrowedInGroups: readonly Rational[];
  /** Unix seconds; 0 when the limit is not crossed. */
  readonly borrowLimitCrossedAt: bigint;
  readonly depositLimitCrossedAt: bigint;
  /** On supply. */
  readonly rewards: readonly SampledReward[];
}

export interface MarketSample {
  readonly market: Address;
  readonly depositUsd: Rational | null;
  readonly borrowUsd: Rational | null;
  /** Null until they are first counted. */
  readonly obligations: number | null;
}

export interface PriceSample {
  readonly mint: Address;
  readonly priceUsd: Rational | null;
  /** SOL value of one liquid-staking token by its stake rate; null for other tokens. */
  readonly stakeRateSol: Rational | null;
}

export interface RewardSample {
  /** At least one of the two reserves is set. */
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
  readonly market: Address;
  readonly rewardMint: Address;
  readonly source: string;
  readonly apy: Rational | null;
  readonly tokensPerSecond: Rational;
  readonly activePositionsUsd: Rational | null;
}

/** Leverage of one reserve pair and tag, from the hourly scan of a market's obligations. */
export interface LeverageSample {
  readonly market: Address;
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  /** 1 = Multiply, 3 = Leverage. */
  readonly tag: number;
  readonly obligations: number;
  readonly avgLeverage: Rational;
  /** Whole tokens of the reserves. */
  readonly deposited: Rational;
  readonly borrowed: Rational;
  readonly depositedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
}

/** Loans of a market whose values were known, from the hourly scan. */
export interface LoanSample {
  readonly loans: number;
  /** Loans with an unknown price, which count nowhere else. */
  readonly unvalued: number;
  readonly depositedUsd: Rational;
  readonly borrowedUsd: Rational;
  /** Debts times their borrow factors. */
  readonly factoredUsd: Rational;
  readonly maxLtv: Rational;
  readonly byStatus: Readonly<Record<'HEALTHY' | 'AT_RISK' | 'LIQUIDATABLE', number>>;
}

/** Collateral and debt of all obligations that deposit in one reserve and owe to another, from the hourly scan. */
export interface CollateralUseSample {
  readonly depositReserve: Address;
  readonly borrowReserve: Address;
  /**
   * A collateral of several debts is divided among them by their value, and a debt with several collaterals likewise. Null
   * when an obligation of the pair had an unknown price; so is `debtUsd`.
   */
  readonly collateralUsd: Rational | null;
  readonly debtUsd: Rational | null;
}

/** One obligation of a market, from the hourly scan. */
export interface ObligationEntry {
  readonly obligation: Address;
  readonly owner: Address;
  readonly tag: number;
  readonly depositReserves: readonly Address[];
  readonly borrowReserves: readonly Address[];
  readonly depositUsd: Rational | null;
  readonly borrowUsd: Rational | null;
  /** Null without debt, or without a price. */
  readonly healthFactor: Rational | null;
}
