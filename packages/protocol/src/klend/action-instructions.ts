import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';
import {
  borrowAccounts,
  depositAccounts,
  farmAccounts,
  repayAccounts,
  withdrawAccounts,
} from './action-accounts.ts';

/** The four lending actions. V2 refreshes the farm and takes its two accounts at the end; V1 does not. */

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

/** Remaining accounts in an elevation group: the deposit reserves, writable. Likewise for repay. */
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

/** The maximum u64 repays the whole debt. */
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

/** `collateralAmount` is in cTokens; the maximum u64 withdraws everything. */
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
