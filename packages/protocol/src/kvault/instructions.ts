import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Remaining accounts of each instruction: the vault's reserves (writable) in allocation order, then their markets. */

const depositAccounts = {
  user: 'writable signer',
  vaultState: 'writable',
  tokenVault: 'writable',
  tokenMint: 'readonly',
  baseVaultAuthority: 'readonly',
  sharesMint: 'writable',
  userTokenAta: 'writable',
  userSharesAta: 'writable',
  klendProgram: 'readonly',
  tokenProgram: 'readonly',
  sharesTokenProgram: 'readonly',
  eventAuthority: 'readonly',
  program: 'readonly',
} as const;

export const vaultDeposit = instructionLayout(
  'deposit',
  'f223c68952e1f2b6',
  { maxAmount: u64 },
  depositAccounts,
);

export const vaultBuy = instructionLayout('buy', '66063d1201daebea', { maxAmount: u64 }, depositAccounts);

/** Since kvault 2.2.2, as is the next: a deposit that fails when it would mint fewer shares than `minSharesOut`. */
export const vaultDepositWithMinSharesOut = instructionLayout(
  'depositWithMinSharesOut',
  '4a7f805004ddc15b',
  { maxAmount: u64, minSharesOut: u64 },
  depositAccounts,
);

export const vaultBuyWithMinSharesOut = instructionLayout(
  'buyWithMinSharesOut',
  '3d8766977c2e90d1',
  { maxAmount: u64, minSharesOut: u64 },
  depositAccounts,
);

const fromAvailableAccounts = {
  user: 'signer',
  vaultState: 'writable',
  globalConfig: 'readonly',
  tokenVault: 'writable',
  baseVaultAuthority: 'readonly',
  userTokenAta: 'writable',
  tokenMint: 'writable',
  userSharesAta: 'writable',
  sharesMint: 'writable',
  tokenProgram: 'readonly',
  sharesTokenProgram: 'readonly',
  klendProgram: 'readonly',
  eventAuthority: 'readonly',
  program: 'readonly',
} as const;

export const vaultWithdrawFromAvailable = instructionLayout(
  'withdrawFromAvailable',
  '1383709baadc2239',
  { sharesAmount: u64 },
  fromAvailableAccounts,
);

/** The program takes two groups of accounts; vault, event authority and program appear in both. */
const fromReserveAccounts = {
  ...fromAvailableAccounts,
  reserveVaultState: 'writable',
  reserve: 'writable',
  ctokenVault: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  reserveLiquiditySupply: 'writable',
  reserveCollateralMint: 'writable',
  reserveCollateralTokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
  outerEventAuthority: 'readonly',
  outerProgram: 'readonly',
} as const;

/** Takes idle tokens first, the rest from the given reserve. */
export const vaultWithdraw = instructionLayout(
  'withdraw',
  'b712469c946da122',
  { sharesAmount: u64 },
  fromReserveAccounts,
);

export const vaultSell = instructionLayout(
  'sell',
  '33e685a4017f83ad',
  { sharesAmount: u64 },
  fromReserveAccounts,
);
