import { bool, u8, u32, u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';
import { borrowedFromAccounts, farmAccounts } from './action-accounts.ts';
import { obligationOrder } from './obligation.ts';

/** Standing orders of an obligation, which anyone may execute. */

/** All zero cancels the order. */
const borrowOrderConfig = {
  remainingDebtAmount: u64,
  maxBorrowRateBps: u32,
  minDebtTermSeconds: u64,
  fillableUntilTimestamp: u64,
  enableAutoRolloverOnFilledBorrows: bool,
} as const;

const setBorrowOrderAccounts = {
  owner: 'signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  reserve: 'readonly',
  filledDebtDestination: 'readonly',
  debtLiquidityMint: 'readonly',
  instructionSysvarAccount: 'readonly',
  eventAuthority: 'readonly',
  program: 'readonly',
} as const;

/** Sets order 0. */
export const setBorrowOrderV1 = instructionLayout(
  'setBorrowOrder',
  'b1ba2d3deb5b448b',
  { ...borrowOrderConfig, minExpectedCurrentRemainingDebtAmount: u64 },
  setBorrowOrderAccounts,
);

export const setBorrowOrderV2 = instructionLayout(
  'setBorrowOrderV2',
  '57ff1e049ce6a77e',
  { orderIdx: u8, ...borrowOrderConfig, minExpectedCurrentRemainingDebtAmount: u64 },
  setBorrowOrderAccounts,
);

const fillBorrowOrderAccounts = {
  payer: 'signer',
  ...borrowedFromAccounts,
  ...farmAccounts,
  farmsProgram: 'readonly',
  eventAuthority: 'readonly',
  program: 'readonly',
} as const;

/** Borrows for the owner of order 0. */
export const fillBorrowOrderV1 = instructionLayout(
  'fillBorrowOrder',
  '6604a74c83aa5d13',
  {},
  fillBorrowOrderAccounts,
);

export const fillBorrowOrderV2 = instructionLayout(
  'fillBorrowOrderV2',
  'c555c18b285ec28f',
  { orderIdx: u8 },
  fillBorrowOrderAccounts,
);

/** All zero after the index cancels the order. klend 1.26 appends `minExpectedCurrentOpportunityParameterSf`. */
export const setObligationOrder = instructionLayout(
  'setObligationOrder',
  '5101639cd3534e2e',
  { index: u8, ...obligationOrder.fields },
  { owner: 'signer', obligation: 'writable', lendingMarket: 'readonly' },
);

/** Since klend 1.26; before it, liquidations execute the orders. Remaining accounts as in a refresh of the obligation. */
export const executeObligationOrder = instructionLayout(
  'executeObligationOrder',
  '88054822a9f9fb9a',
  {
    orderIndex: u8,
    expectedOpportunityType: u8,
    maxGivenLiquidityAmount: u64,
    minReceivedLiquidityAmount: u64,
  },
  {
    executor: 'signer',
    obligation: 'writable',
    obligationOwner: 'writable',
    lendingMarket: 'readonly',
    lendingMarketAuthority: 'readonly',
    debtReserve: 'writable',
    debtReserveLiquidityMint: 'readonly',
    debtReserveLiquiditySupply: 'writable',
    debtReserveLiquidityFeeReceiver: 'writable',
    collateralReserve: 'writable',
    collateralReserveLiquidityMint: 'readonly',
    collateralReserveCollateralMint: 'writable',
    collateralReserveCollateralSupply: 'writable',
    collateralReserveLiquiditySupply: 'writable',
    collateralReserveLiquidityFeeReceiver: 'writable',
    executorDebtLiquidity: 'writable',
    executorCollateral: 'writable',
    executorCollateralLiquidity: 'writable',
    collateralTokenProgram: 'readonly',
    debtLiquidityTokenProgram: 'readonly',
    collateralLiquidityTokenProgram: 'readonly',
    instructionSysvarAccount: 'readonly',
    referrerTokenState: 'writable?',
    collateralObligationFarmUserState: 'writable?',
    collateralReserveFarmState: 'writable?',
    debtObligationFarmUserState: 'writable?',
    debtReserveFarmState: 'writable?',
    farmsProgram: 'readonly',
  },
);
