import type { Shape } from '../contract/field-shapes.ts';

/** Integers of 64 bits and more are strings, smaller ones numbers. Padding may be omitted. */
const big = 'integerString';
const small = 'integer';
const bytes = (length: number): Shape => ({ list: small, length });

const ELEVATION_GROUP: Shape = {
  fields: {
    maxLiquidationBonusBps: small,
    id: small,
    ltvPct: small,
    liquidationThresholdPct: small,
    allowNewLoans: small,
    maxReservesAsCollateral: small,
    padding0: small,
    debtReserve: 'address',
    padding1: { list: big, length: 4 },
  },
};

/** The decoded market account, by the public interface of the lending program. */
export const MARKET_STATE: Shape = {
  fields: {
    version: big,
    bumpSeed: big,
    lendingMarketOwner: 'address',
    lendingMarketOwnerCached: 'address',
    quoteCurrency: bytes(32),
    referralFeeBps: small,
    emergencyMode: small,
    autodeleverageEnabled: small,
    borrowDisabled: small,
    priceRefreshTriggerToMaxAgePct: small,
    liquidationMaxDebtCloseFactorPct: small,
    insolvencyRiskUnhealthyLtvPct: small,
    minFullLiquidationValueThreshold: big,
    maxLiquidatableDebtMarketValueAtOnce: big,
    reserved0: bytes(8),
    globalAllowedBorrowValue: big,
    emergencyCouncil: 'address',
    reserved1: bytes(8),
    elevationGroups: { list: ELEVATION_GROUP, length: 32 },
    elevationGroupPadding: { list: big, length: 90 },
    minNetValueInObligationSf: big,
    minValueSkipLiquidationLtvChecks: big,
    name: bytes(32),
    minValueSkipLiquidationBfChecks: big,
    individualAutodeleverageMarginCallPeriodSecs: big,
    minInitialDepositAmount: big,
    obligationOrderExecutionEnabled: small,
    immutable: small,
    obligationOrderCreationEnabled: small,
    priceTriggeredLiquidationDisabled: small,
    matureReserveDebtLiquidationEnabled: small,
    obligationBorrowDebtTermLiquidationEnabled: small,
    borrowOrderCreationEnabled: small,
    borrowOrderExecutionEnabled: small,
    proposerAuthority: 'address',
    minBorrowOrderFillValue: big,
    withdrawTicketIssuanceEnabled: small,
    withdrawTicketRedemptionEnabled: small,
    obligationBorrowRolloverConfigurationEnabled: small,
    obligationBorrowMigrationToFixedExecutionEnabled: small,
    withdrawTicketCancellationEnabled: small,
    disableNonceBlock: small,
    reserveRewardsMaxAprBps: small,
    minWithdrawQueuedLiquidityValue: big,
    fixedTermRolloverWindowDurationSeconds: big,
    openTermRolloverWindowDurationSeconds: big,
    minPartialRolloverValue: big,
    termBasedFullLiquidationDurationSecs: big,
    permissioningAuthority: 'address',
    permissionedOps: big,
    minObligationOrderExecutionValue: big,
    padding1: { list: big, length: 152 },
  },
};
