import { PROGRAM_ID as KLEND } from '@kamino-finance/klend-sdk/dist/@codegen/klend/programId.js';
import { buy } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/buy.js';
import { deposit } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/deposit.js';
import { invest } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/invest.js';
import { redeemInKind } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/redeemInKind.js';
import { sell } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/sell.js';
import { withdraw } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/withdraw.js';
import { withdrawFromAvailable } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/instructions/withdrawFromAvailable.js';
import { PROGRAM_ID as KVAULT } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/programId.js';
import { SYSVAR_INSTRUCTIONS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs, nothing, writableThenReadonly } from './arguments.ts';
import { instructionCases, withoutArgs } from './template.ts';

const program = 'kvault';
const tokens = amounts.map((maxAmount) => ({ maxAmount }));
const shares = amounts.map((sharesAmount) => ({ sharesAmount }));
const remaining = [nothing, writableThenReadonly(1, 1), writableThenReadonly(3, 3)];

const depositAccounts = {
  user: 'signer',
  vaultState: 'account',
  tokenVault: 'account',
  tokenMint: 'account',
  baseVaultAuthority: 'account',
  sharesMint: 'account',
  userTokenAta: 'account',
  userSharesAta: 'account',
  klendProgram: KLEND,
  tokenProgram: TOKEN_2022_PROGRAM,
  sharesTokenProgram: TOKEN_PROGRAM,
  eventAuthority: 'account',
  program: KVAULT,
} as const;

const availableAccounts = {
  user: 'signer',
  vaultState: 'account',
  globalConfig: 'account',
  tokenVault: 'account',
  baseVaultAuthority: 'account',
  userTokenAta: 'account',
  tokenMint: 'account',
  userSharesAta: 'account',
  sharesMint: 'account',
  tokenProgram: TOKEN_2022_PROGRAM,
  sharesTokenProgram: TOKEN_PROGRAM,
  klendProgram: KLEND,
  eventAuthority: 'account',
  program: KVAULT,
} as const;

const withdrawAccounts = {
  withdrawFromAvailable: availableAccounts,
  withdrawFromReserveAccounts: {
    vaultState: 'account',
    reserve: 'account',
    ctokenVault: 'account',
    lendingMarket: 'account',
    lendingMarketAuthority: 'account',
    reserveLiquiditySupply: 'account',
    reserveCollateralMint: 'account',
    reserveCollateralTokenProgram: TOKEN_PROGRAM,
    instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
  },
  eventAuthority: 'account',
  program: KVAULT,
} as const;

export const kvaultCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'deposit',
    args: tokens,
    accounts: depositAccounts,
    remaining,
    build: deposit,
  }),
  ...instructionCases({
    program,
    name: 'buy',
    args: tokens,
    accounts: depositAccounts,
    remaining,
    build: buy,
  }),
  ...instructionCases({
    program,
    name: 'withdraw',
    args: shares,
    accounts: withdrawAccounts,
    remaining,
    build: withdraw,
  }),
  ...instructionCases({
    program,
    name: 'sell',
    args: shares,
    accounts: withdrawAccounts,
    remaining,
    build: sell,
  }),
  ...instructionCases({
    program,
    name: 'withdrawFromAvailable',
    args: shares,
    accounts: availableAccounts,
    remaining,
    build: withdrawFromAvailable,
  }),
  ...instructionCases({
    program,
    name: 'invest',
    args: noArgs,
    accounts: {
      payer: 'signer',
      payerTokenAccount: 'account',
      vaultState: 'account',
      tokenVault: 'account',
      tokenMint: 'account',
      baseVaultAuthority: 'account',
      ctokenVault: 'account',
      reserve: 'account',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserveLiquiditySupply: 'account',
      reserveCollateralMint: 'account',
      reserveWhitelistEntry: 'optional',
      klendProgram: KLEND,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      tokenProgram: TOKEN_2022_PROGRAM,
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    remaining,
    build: withoutArgs(invest),
  }),
  ...instructionCases({
    program,
    name: 'redeemInKind',
    args: shares,
    accounts: {
      user: 'signer',
      vaultState: 'account',
      globalConfig: 'account',
      baseVaultAuthority: 'account',
      reserve: 'account',
      ctokenVault: 'account',
      userCtokenTa: 'account',
      ctokenMint: 'account',
      userSharesTa: 'account',
      sharesMint: 'account',
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      sharesTokenProgram: TOKEN_PROGRAM,
      klendProgram: KLEND,
      eventAuthority: 'account',
      program: KVAULT,
    },
    remaining,
    build: redeemInKind,
  }),
];
