/** Accounts of lending actions, in program order, shared by several versions and combinations of instructions. */

/** Farm accounts of V2 actions, for the side acted on (collateral or debt); both null when the reserve has no farm. */
export const farmAccounts = {
  obligationFarmUserState: 'writable?',
  reserveFarmState: 'writable?',
} as const;

export const depositAccounts = {
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

/** A borrow's accounts after the signer, who is the owner or fills the owner's order. */
export const borrowedFromAccounts = {
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

export const borrowAccounts = { owner: 'signer', ...borrowedFromAccounts } as const;

export const repayAccounts = {
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

export const withdrawAccounts = {
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
