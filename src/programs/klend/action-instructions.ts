import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** The four lending actions. V2 refreshes the farm itself and takes its two accounts at the end; V1 does not. */

/** Accounts of V2 actions for the farm of the side that is acted on; both null when the reserve has none. */
const farmAccounts = {
  obligationFarmUserState: 'writable?',
  reserveFarmState: 'writable?',
} as const;

const depositAccounts = {
  owner: 'writable signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  reserve: 'writable',
  reserveLiquidityMint: 'readonly',
  reserveLiquiditySupply: 'writable',
  reserveCollateralMint: 'writable',
  reserveDestinationDepositCollateral: 'writable',
  userSourceLiquidity: 'writable',
  placeholderUserDestinationCollateral: 'readonly?',
  collateralTokenProgram: 'readonly',
  liquidityTokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

export const depositV1 = instructionLayout(
  'depositReserveLiquidityAndObligationCollateral',
  '81c70402de271a2e',
  { liquidityAmount: u64 },
  depositAccounts,
);

export const depositV2 = instructionLayout(
  'depositReserveLiquidityAndObligationCollateralV2',
  'd8e0bf1bcc9766af',
  { liquidityAmount: u64 },
  { ...depositAccounts, ...farmAccounts, farmsProgram: 'readonly' },
);

const borrowAccounts = {
  owner: 'signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  borrowReserve: 'writable',
  borrowReserveLiquidityMint: 'readonly',
  reserveSourceLiquidity: 'writable',
  borrowReserveLiquidityFeeReceiver: 'writable',
  userDestinationLiquidity: 'writable',
  referrerTokenState: 'writable?',
  tokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** Remaining accounts in an elevation group: the deposit reserves, writable. The same for repay. */
export const borrowV1 = instructionLayout(
  'borrowObligationLiquidity',
  '797f12cc49f5e141',
  { liquidityAmount: u64 },
  borrowAccounts,
);

export const borrowV2 = instructionLayout(
  'borrowObligationLiquidityV2',
  'a1808ff5abc7c206',
  { liquidityAmount: u64 },
  { ...borrowAccounts, ...farmAccounts, farmsProgram: 'readonly' },
);

const repayAccounts = {
  owner: 'signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  repayReserve: 'writable',
  reserveLiquidityMint: 'readonly',
  reserveDestinationLiquidity: 'writable',
  userSourceLiquidity: 'writable',
  tokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** The greatest u64 repays the whole debt. */
export const repayV1 = instructionLayout(
  'repayObligationLiquidity',
  '91b20de14cf09348',
  { liquidityAmount: u64 },
  repayAccounts,
);

export const repayV2 = instructionLayout(
  'repayObligationLiquidityV2',
  '74aed54cb435d290',
  { liquidityAmount: u64 },
  { ...repayAccounts, ...farmAccounts, lendingMarketAuthority: 'readonly', farmsProgram: 'readonly' },
);

const withdrawAccounts = {
  owner: 'writable signer',
  obligation: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  withdrawReserve: 'writable',
  reserveLiquidityMint: 'readonly',
  reserveSourceCollateral: 'writable',
  reserveCollateralMint: 'writable',
  reserveLiquiditySupply: 'writable',
  userDestinationLiquidity: 'writable',
  placeholderUserDestinationCollateral: 'readonly?',
  collateralTokenProgram: 'readonly',
  liquidityTokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** `collateralAmount` is in cTokens; the greatest u64 withdraws all. */
export const withdrawV1 = instructionLayout(
  'withdrawObligationCollateralAndRedeemReserveCollateral',
  '4b5d5ddc2296dac4',
  { collateralAmount: u64 },
  withdrawAccounts,
);

export const withdrawV2 = instructionLayout(
  'withdrawObligationCollateralAndRedeemReserveCollateralV2',
  'eb34779895c51407',
  { collateralAmount: u64 },
  { ...withdrawAccounts, ...farmAccounts, farmsProgram: 'readonly' },
);
