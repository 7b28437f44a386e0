import { bytes, i64, publicKey, u8, u16, u32, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';
import { ELEVATION_GROUPS } from './lending-market.ts';

export const reserveFees = struct({
  /** Fraction of a borrow, scaled by 2^60. */
  originationFeeSf: u64,
  /** Fraction of a flash loan, scaled by 2^60; the maximum u64 disables flash loans. */
  flashLoanFeeSf: u64,
  padding: padding(bytes(8)),
});

const curvePoint = struct({
  utilizationRateBps: u32,
  borrowRateBps: u32,
});

/** Eleven points by utilization; unused trailing points repeat the one at 100 %. */
export const borrowRateCurve = struct({
  points: array(curvePoint, 11),
});

/** A limit on net outflow per interval, in base units. A `configIntervalLengthSeconds` of 0 disables it. */
const withdrawalCaps = struct({
  configCapacity: i64,
  currentTotal: i64,
  lastIntervalStartTimestamp: u64,
  configIntervalLengthSeconds: u64,
});

export const tokenInfo = struct({
  name: bytes(32),
  heuristic: struct({ lower: u64, upper: u64, exp: u64 }),
  maxTwapDivergenceBps: u64,
  maxAgePriceSeconds: u64,
  maxAgeTwapSeconds: u64,
  scopeConfiguration: struct({
    priceFeed: publicKey,
    /** Indexes into the price account, multiplied together; 65535 ends the chain. */
    priceChain: array(u16, 4),
    twapChain: array(u16, 4),
  }),
  switchboardConfiguration: struct({ priceAggregator: publicKey, twapAggregator: publicKey }),
  pythConfiguration: struct({ price: publicKey }),
  blockPriceUsage: u8,
  reserved: padding(bytes(7)),
  padding: padding(bytes(19 * 8)),
});

export const reserveConfig = struct({
  /** 0 active, 1 obsolete, 2 hidden. */
  status: u8,
  /** Old reserves still hold their former tier here, so it is not marked as padding. */
  paddingDeprecatedAssetTier: bytes(1),
  hostFixedInterestRateBps: u16,
  minDeleveragingBonusBps: u16,
  blockCtokenUsage: u8,
  earlyRepayRemainingInterestPct: u8,
  emergencyMode: u8,
  /** Index of `INTEREST_RATE_BASES`. */
  interestRateBasis: u8,
  reserved1: padding(bytes(3)),
  protocolOrderExecutionFeePct: u8,
  protocolTakeRatePct: u8,
  protocolLiquidationFeePct: u8,
  loanToValuePct: u8,
  liquidationThresholdPct: u8,
  minLiquidationBonusBps: u16,
  maxLiquidationBonusBps: u16,
  badDebtLiquidationBonusBps: u16,
  deleveragingMarginCallPeriodSecs: u64,
  deleveragingThresholdDecreaseBpsPerDay: u64,
  fees: reserveFees,
  borrowRateCurve,
  borrowFactorPct: u64,
  /** Base units of the liquidity mint; so are the other limits. */
  depositLimit: u64,
  borrowLimit: u64,
  tokenInfo,
  depositWithdrawalCap: withdrawalCaps,
  debtWithdrawalCap: withdrawalCaps,
  /** Ids of the groups that this reserve belongs to; 0 is an unused slot. */
  elevationGroups: bytes(20),
  disableUsageAsCollOutsideEmode: u8,
  /** Percent; 0 means no limit. */
  utilizationLimitBlockBorrowingAbovePct: u8,
  autodeleverageEnabled: u8,
  proposerAuthorityLocked: u8,
  borrowLimitOutsideElevationGroup: u64,
  /** Indexed by group id minus one. */
  borrowLimitAgainstThisCollateralInElevationGroup: array(u64, ELEVATION_GROUPS),
  deleveragingBonusIncreaseBpsPerDay: u64,
  debtMaturityTimestamp: u64,
  debtTermSeconds: u64,
  /** Base units per slot or second, by the rate basis. */
  rewardsAmountPerAccrualUnit: u64,
  /** Bits: 1 deposit, 2 borrow, 4 liquidate. Effective when the market has a permissioning authority. */
  permissionedOps: u64,
});

export type ReserveConfig = StructOf<typeof reserveConfig.fields>;

/** Bases of rates by their number in the account: per slot of 500 ms, or per second (a true yearly rate). */
export const INTEREST_RATE_BASES = ['PER_SLOT', 'PER_SECOND'] as const;

/** The program panics for a basis that it does not know; a rate guessed from it would be wrong. */
export function basisFlaw({ interestRateBasis: basis }: ReserveConfig): string | null {
  return basis < INTEREST_RATE_BASES.length ? null : `its interest rate basis ${basis} is unknown`;
}
