import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u16, u32, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';
import { bigFractionBytes, lastUpdate } from './last-update.ts';

export const MAX_DEPOSITS = 8;
export const MAX_BORROWS = 5;

/** An empty slot has the default key as its reserve. Slots are not compacted: there may be gaps. */
export const obligationCollateral = struct({
  depositReserve: publicKey,
  /** Collateral tokens (cTokens), base units. */
  depositedAmount: u64,
  /** USD at the last refresh, scaled by 2^60, as are the values below. */
  marketValueSf: u128,
  borrowedAmountAgainstThisCollateralInElevationGroup: u64,
  padding: padding(array(u64, 9)),
});

export const fixedTermBorrowRolloverConfig = struct({
  autoRolloverEnabled: u8,
  openTermAllowed: u8,
  migrationToFixedEnabled: u8,
  /** Days before the end of the term in which it may be rolled over; 0 uses the market's window. */
  fixedTermRolloverWindowDurationDays: u8,
  maxBorrowRateBps: u32,
  minDebtTermSeconds: u64,
});

export const obligationLiquidity = struct({
  borrowReserve: publicKey,
  /** The reserve's cumulative rate when interest was last added to this debt. */
  cumulativeBorrowRateBsf: bigFractionBytes,
  lastBorrowedAtTimestamp: u64,
  /** Base units, scaled by 2^60. */
  borrowedAmountSf: u128,
  marketValueSf: u128,
  borrowFactorAdjustedMarketValueSf: u128,
  borrowedAmountOutsideElevationGroups: u64,
  fixedTermBorrowRolloverConfig,
  borrowedAmountAtExpiration: u64,
  padding2: padding(array(u64, 4)),
});

export const obligationOrder = struct({
  conditionThresholdSf: u128,
  opportunityParameterSf: u128,
  minExecutionBonusBps: u16,
  maxExecutionBonusBps: u16,
  conditionType: u8,
  opportunityType: u8,
  padding1: padding(bytes(2)),
  /** Zero before klend 1.26, as are the fields below. */
  maxBorrowRateBps: u32,
  minDebtTermSeconds: u32,
  debtMintAddress: publicKey,
  collateralMintAddress: publicKey,
  padding2: padding(array(u128, 1)),
});

export const borrowOrder = struct({
  debtLiquidityMint: publicKey,
  remainingDebtAmount: u64,
  filledDebtDestination: publicKey,
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: u64,
  placedAtTimestamp: u64,
  lastUpdatedAtTimestamp: u64,
  requestedDebtAmount: u64,
  maxBorrowRateBps: u32,
  active: u8,
  enableAutoRolloverOnFilledBorrows: u8,
  padding1: padding(bytes(2)),
  endPadding: padding(array(u64, 5)),
});

/**
 * A position of a wallet in a market: its deposits and debts as of its last refresh. `*Sf` fields are scaled by 2^60.
 *
 * @example
 * const { deposits, borrows } = obligation.decode({ owner, data }, MAINNET_PROGRAMS.klend);
 */
export const obligation = accountLayout('Obligation', 'a8ce8d6a584caca7', {
  /** Kind of position: 0 vanilla, 1 multiply, 2 lending, 3 leverage, 4 to 6 their fixed-rate variants. */
  tag: u64,
  lastUpdate,
  lendingMarket: publicKey,
  owner: publicKey,
  deposits: array(obligationCollateral, MAX_DEPOSITS),
  lowestReserveDepositLiquidationLtv: u64,
  depositedValueSf: u128,
  borrows: array(obligationLiquidity, MAX_BORROWS),
  borrowFactorAdjustedDebtValueSf: u128,
  borrowedAssetsMarketValueSf: u128,
  allowedBorrowValueSf: u128,
  unhealthyBorrowValueSf: u128,
  /** Old obligations still hold the former tiers of their reserves here, so it is not marked as padding. */
  paddingDeprecatedAssetTiers: bytes(13),
  elevationGroup: u8,
  numOfObsoleteDepositReserves: u8,
  hasDebt: u8,
  referrer: publicKey,
  borrowingDisabled: u8,
  autodeleverageTargetLtvPct: u8,
  lowestReserveDepositMaxLtvPct: u8,
  numOfObsoleteBorrowReserves: u8,
  ownershipTransferState: u8,
  reserved: padding(bytes(3)),
  highestBorrowFactorPct: u64,
  autodeleverageMarginCallStartedTimestamp: u64,
  obligationOrders: array(obligationOrder, 2),
  /** Order 0; the tail has orders 1 and 2. A slot without an order is zero. */
  headBorrowOrder: borrowOrder,
  pendingOwner: publicKey,
  tailBorrowOrders: array(borrowOrder, 2),
  padding3: padding(array(u64, 29)),
});

export type Obligation = StructOf<typeof obligation.body.fields>;
export type ObligationCollateral = StructOf<typeof obligationCollateral.fields>;
export type ObligationLiquidity = StructOf<typeof obligationLiquidity.fields>;
export type ObligationOrder = StructOf<typeof obligationOrder.fields>;
export type BorrowOrder = StructOf<typeof borrowOrder.fields>;
