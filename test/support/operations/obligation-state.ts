import type { Shape } from '../contract/field-shapes.ts';

/** Integers of 64 bits and more are strings, smaller ones numbers. Padding may be omitted. */
const big = 'integerString';
const small = 'integer';

const DEPOSIT_SLOT: Shape = {
  fields: {
    depositReserve: 'address',
    depositedAmount: big,
    marketValueSf: big,
    borrowedAmountAgainstThisCollateralInElevationGroup: big,
    'padding?': 'anything',
  },
};

const BORROW_SLOT: Shape = {
  fields: {
    borrowReserve: 'address',
    cumulativeBorrowRateBsf: { fields: { value: { list: big, length: 4 }, 'padding?': 'anything' } },
    lastBorrowedAtTimestamp: big,
    borrowedAmountSf: big,
    marketValueSf: big,
    borrowFactorAdjustedMarketValueSf: big,
    borrowedAmountOutsideElevationGroups: big,
    fixedTermBorrowRolloverConfig: {
      fields: {
        autoRolloverEnabled: small,
        openTermAllowed: small,
        migrationToFixedEnabled: small,
        fixedTermRolloverWindowDurationDays: small,
        maxBorrowRateBps: small,
        minDebtTermSeconds: big,
      },
    },
    borrowedAmountAtExpiration: big,
    'padding2?': 'anything',
  },
};

const ORDER: Shape = {
  fields: {
    conditionThresholdSf: big,
    opportunityParameterSf: big,
    minExecutionBonusBps: small,
    maxExecutionBonusBps: small,
    conditionType: small,
    opportunityType: small,
    'padding1?': 'anything',
    maxBorrowRateBps: small,
    minDebtTermSeconds: small,
    debtMintAddress: 'address',
    collateralMintAddress: 'address',
    'padding2?': 'anything',
  },
};

export const BORROW_ORDER_FIELDS = {
  debtLiquidityMint: 'address',
  remainingDebtAmount: big,
  filledDebtDestination: 'address',
  minDebtTermSeconds: big,
  fillableUntilTimestamp: big,
  placedAtTimestamp: big,
  lastUpdatedAtTimestamp: big,
  requestedDebtAmount: big,
  maxBorrowRateBps: small,
  active: small,
  enableAutoRolloverOnFilledBorrows: small,
} as const satisfies Record<string, Shape>;

const BORROW_ORDER: Shape = {
  fields: {
    ...BORROW_ORDER_FIELDS,
    'padding1?': 'anything',
    'endPadding?': 'anything',
  },
};

/** The decoded obligation account, by the public interface of the lending program. Includes empty slots. */
export const OBLIGATION_STATE: Shape = {
  fields: {
    tag: big,
    lastUpdate: {
      fields: {
        slot: big,
        stale: small,
        priceStatus: small,
        'alignmentPadding?': 'anything',
        timestamp: small,
      },
    },
    lendingMarket: 'address',
    owner: 'address',
    deposits: { list: DEPOSIT_SLOT, length: 8 },
    lowestReserveDepositLiquidationLtv: big,
    depositedValueSf: big,
    borrows: { list: BORROW_SLOT, length: 5 },
    borrowFactorAdjustedDebtValueSf: big,
    borrowedAssetsMarketValueSf: big,
    allowedBorrowValueSf: big,
    unhealthyBorrowValueSf: big,
    'paddingDeprecatedAssetTiers?': 'anything',
    elevationGroup: small,
    numOfObsoleteDepositReserves: small,
    hasDebt: small,
    referrer: 'address',
    borrowingDisabled: small,
    autodeleverageTargetLtvPct: small,
    lowestReserveDepositMaxLtvPct: small,
    numOfObsoleteBorrowReserves: small,
    ownershipTransferState: small,
    'reserved?': 'anything',
    highestBorrowFactorPct: big,
    autodeleverageMarginCallStartedTimestamp: big,
    obligationOrders: { list: ORDER, length: 2 },
    headBorrowOrder: BORROW_ORDER,
    /** Its former name. */
    borrowOrder: BORROW_ORDER,
    pendingOwner: 'address',
    tailBorrowOrders: { list: BORROW_ORDER, length: 2 },
    'padding3?': 'anything',
  },
};
