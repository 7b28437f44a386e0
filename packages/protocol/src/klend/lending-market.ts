import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u16, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';

export const ELEVATION_GROUPS = 32;

/** Slot `i` of the market holds group `i + 1`; group 0 means "none". An `id` of 0 is an unused slot. */
export const elevationGroup = struct({
  maxLiquidationBonusBps: u16,
  id: u8,
  ltvPct: u8,
  liquidationThresholdPct: u8,
  allowNewLoans: u8,
  /** Maximum number of deposits of an obligation in the group. */
  maxReservesAsCollateral: u8,
  padding0: padding(u8),
  debtReserve: publicKey,
  padding1: padding(array(u64, 4)),
});

/**
 * A lending market: its limits, rules of liquidation and elevation groups.
 *
 * @example
 * const { lendingMarketOwner } = lendingMarket.decode({ owner, data }, MAINNET_PROGRAMS.klend);
 */
export const lendingMarket = accountLayout('LendingMarket', 'f6723262489d1c78', {
  version: u64,
  bumpSeed: u64,
  lendingMarketOwner: publicKey,
  lendingMarketOwnerCached: publicKey,
  quoteCurrency: bytes(32),
  referralFeeBps: u16,
  emergencyMode: u8,
  autodeleverageEnabled: u8,
  borrowDisabled: u8,
  priceRefreshTriggerToMaxAgePct: u8,
  liquidationMaxDebtCloseFactorPct: u8,
  insolvencyRiskUnhealthyLtvPct: u8,
  /** USD. */
  minFullLiquidationValueThreshold: u64,
  /** USD. */
  maxLiquidatableDebtMarketValueAtOnce: u64,
  /** Old markets still hold a former limit of the market's unhealthy debt here, so it is not marked as padding. */
  reserved0: bytes(8),
  /** USD. */
  globalAllowedBorrowValue: u64,
  emergencyCouncil: publicKey,
  /** Old markets still hold former multipliers of points here, so it is not marked as padding. */
  reserved1: bytes(8),
  elevationGroups: array(elevationGroup, ELEVATION_GROUPS),
  elevationGroupPadding: padding(array(u64, 90)),
  /** USD, scaled by 2^60. */
  minNetValueInObligationSf: u128,
  minValueSkipLiquidationLtvChecks: u64,
  name: bytes(32),
  minValueSkipLiquidationBfChecks: u64,
  individualAutodeleverageMarginCallPeriodSecs: u64,
  minInitialDepositAmount: u64,
  obligationOrderExecutionEnabled: u8,
  immutable: u8,
  obligationOrderCreationEnabled: u8,
  priceTriggeredLiquidationDisabled: u8,
  matureReserveDebtLiquidationEnabled: u8,
  obligationBorrowDebtTermLiquidationEnabled: u8,
  borrowOrderCreationEnabled: u8,
  borrowOrderExecutionEnabled: u8,
  proposerAuthority: publicKey,
  minBorrowOrderFillValue: u64,
  withdrawTicketIssuanceEnabled: u8,
  withdrawTicketRedemptionEnabled: u8,
  obligationBorrowRolloverConfigurationEnabled: u8,
  obligationBorrowMigrationToFixedExecutionEnabled: u8,
  withdrawTicketCancellationEnabled: u8,
  disableNonceBlock: u8,
  reserveRewardsMaxAprBps: u16,
  minWithdrawQueuedLiquidityValue: u64,
  fixedTermRolloverWindowDurationSeconds: u64,
  openTermRolloverWindowDurationSeconds: u64,
  minPartialRolloverValue: u64,
  termBasedFullLiquidationDurationSecs: u64,
  permissioningAuthority: publicKey,
  /** Bits: 1 deposit, 2 borrow, 4 liquidate. */
  permissionedOps: u64,
  /** USD; klend 1.26. */
  minObligationOrderExecutionValue: u64,
  padding1: padding(array(u64, 152)),
});

export type ElevationGroup = StructOf<typeof elevationGroup.fields>;
export type LendingMarket = StructOf<typeof lendingMarket.body.fields>;
