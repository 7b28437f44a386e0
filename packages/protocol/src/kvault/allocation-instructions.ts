import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Vault instructions that move collateral tokens of the reserves. The gateway builds the redemption alone. */

const investAccounts = {
  payer: 'writable signer',
  payerTokenAccount: 'writable',
  vaultState: 'writable',
  tokenVault: 'writable',
  tokenMint: 'writable',
  baseVaultAuthority: 'writable',
  ctokenVault: 'writable',
  reserve: 'writable',
  lendingMarket: 'readonly',
  lendingMarketAuthority: 'readonly',
  reserveLiquiditySupply: 'writable',
  reserveCollateralMint: 'writable',
  reserveWhitelistEntry: 'readonly?',
  klendProgram: 'readonly',
  reserveCollateralTokenProgram: 'readonly',
  tokenProgram: 'readonly',
  instructionSysvarAccount: 'readonly',
} as const;

/** Moves tokens between the vault and one reserve, towards its target allocation. Permissionless. */
export const vaultInvest = instructionLayout('invest', '0df5b467feb67904', {}, investAccounts);

/** Since kvault 2.2.1: an invest that moves at most `maxAmount` tokens. */
export const vaultInvestWithMaxAmount = instructionLayout(
  'investWithMaxAmount',
  '875cb88945487607',
  { maxAmount: u64 },
  investAccounts,
);

/** Burns shares for collateral tokens of one reserve. */
export const vaultRedeemInKind = instructionLayout(
  'redeemInKind',
  '663abdfcc0db8c59',
  { sharesAmount: u64 },
  {
    user: 'signer',
    vaultState: 'writable',
    globalConfig: 'readonly',
    baseVaultAuthority: 'readonly',
    reserve: 'writable',
    ctokenVault: 'writable',
    userCtokenTa: 'writable',
    ctokenMint: 'writable',
    userSharesTa: 'writable',
    sharesMint: 'writable',
    reserveCollateralTokenProgram: 'readonly',
    sharesTokenProgram: 'readonly',
    klendProgram: 'readonly',
    eventAuthority: 'readonly',
    program: 'readonly',
  },
);
