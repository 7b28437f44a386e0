import { ctokenVault } from '@sluice/protocol/kvault/addresses';
import { vaultInvest, vaultRedeemInKind } from '@sluice/protocol/kvault/allocation-instructions';
import {
  vaultBuy,
  vaultDeposit,
  vaultSell,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '@sluice/protocol/kvault/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { derive, eventAuthority } from '@sluice/protocol/layout/pda';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import type { VaultBench } from './vault-bench.ts';

const { klend, kvault } = MAINNET_PROGRAMS;

/** Addresses that replace the right ones, by account name. */
export type Replaced = Readonly<Record<string, Address>>;

function reserveMetas({ vault }: VaultBench): AccountMeta[] {
  const reserves = vault.allocations.map(({ reserve }) => reserve);
  return [
    ...reserves.map(({ address }) => ({ address, role: AccountRole.WRITABLE })),
    ...reserves.map(({ market }) => ({ address: market.address, role: AccountRole.READONLY })),
  ];
}

export function depositCall(
  bench: VaultBench,
  maxAmount: bigint,
  replaced: Replaced = {},
  remaining: readonly AccountMeta[] = reserveMetas(bench),
  layout: typeof vaultDeposit | typeof vaultBuy = vaultDeposit,
): EncodedInstruction {
  const { vault, wallet } = bench;
  return layout.encode(
    kvault,
    {
      user: wallet,
      vaultState: vault.address,
      tokenVault: vault.tokenVault.address,
      tokenMint: vault.token.mint.address,
      baseVaultAuthority: vault.authority,
      sharesMint: vault.sharesMint.address,
      userTokenAta: bench.tokenAccount,
      userSharesAta: bench.shareAccount,
      klendProgram: klend,
      tokenProgram: vault.token.mint.program,
      sharesTokenProgram: TOKEN_PROGRAM,
      eventAuthority: eventAuthority(kvault).address,
      program: kvault,
      ...replaced,
    },
    { maxAmount },
    remaining,
  );
}

export const buyCall = (bench: VaultBench, maxAmount: bigint) =>
  depositCall(bench, maxAmount, {}, undefined, vaultBuy);

const availableAccounts = (bench: VaultBench) => ({
  user: bench.wallet,
  vaultState: bench.vault.address,
  globalConfig: derive(kvault, 'global_config').address,
  tokenVault: bench.vault.tokenVault.address,
  baseVaultAuthority: bench.vault.authority,
  userTokenAta: bench.tokenAccount,
  tokenMint: bench.vault.token.mint.address,
  userSharesAta: bench.shareAccount,
  sharesMint: bench.vault.sharesMint.address,
  tokenProgram: bench.vault.token.mint.program,
  sharesTokenProgram: TOKEN_PROGRAM,
  klendProgram: klend,
  eventAuthority: eventAuthority(kvault).address,
  program: kvault,
});

export function withdrawFromAvailableCall(
  bench: VaultBench,
  sharesAmount: bigint,
  replaced: Replaced = {},
): EncodedInstruction {
  const accounts = { ...availableAccounts(bench), ...replaced };
  return vaultWithdrawFromAvailable.encode(kvault, accounts, { sharesAmount }, reserveMetas(bench));
}

/** The accounts of a reserve of the world. */
function reserveAccounts(bench: VaultBench, address: Address) {
  const { market, liquidityVault, collateralMint } = bench.modelOf(address);
  return {
    reserve: address,
    ctokenVault: ctokenVault(kvault, bench.vault.address, address).address,
    lendingMarket: market.address,
    lendingMarketAuthority: market.authority,
    reserveLiquiditySupply: liquidityVault.address,
    reserveCollateralMint: collateralMint.address,
    reserveCollateralTokenProgram: TOKEN_PROGRAM,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
  };
}

/** @param index of the allocation whose reserve pays */
export function withdrawCall(
  bench: VaultBench,
  sharesAmount: bigint,
  index = 0,
  replaced: Replaced = {},
  layout: typeof vaultWithdraw | typeof vaultSell = vaultWithdraw,
): EncodedInstruction {
  const accounts = {
    ...availableAccounts(bench),
    reserveVaultState: bench.vault.address,
    ...reserveAccounts(bench, bench.reserveAddress(index)),
    outerEventAuthority: eventAuthority(kvault).address,
    outerProgram: kvault,
    ...replaced,
  };
  return layout.encode(kvault, accounts, { sharesAmount }, reserveMetas(bench));
}

export const sellCall = (bench: VaultBench, sharesAmount: bigint) =>
  withdrawCall(bench, sharesAmount, 0, {}, vaultSell);

export function investCall(
  bench: VaultBench,
  index = 0,
  replaced: Readonly<Record<string, Address | null>> = {},
): EncodedInstruction {
  const { vault } = bench;
  const accounts = {
    payer: bench.wallet,
    payerTokenAccount: bench.tokenAccount,
    vaultState: vault.address,
    tokenVault: vault.tokenVault.address,
    tokenMint: vault.token.mint.address,
    baseVaultAuthority: vault.authority,
    ...reserveAccounts(bench, bench.reserveAddress(index)),
    reserveWhitelistEntry: null,
    klendProgram: klend,
    tokenProgram: vault.token.mint.program,
    ...replaced,
  };
  return vaultInvest.encode(kvault, accounts as typeof accounts, {}, reserveMetas(bench));
}

export function redeemInKindCall(
  bench: VaultBench,
  sharesAmount: bigint,
  index = 0,
  replaced: Replaced = {},
): EncodedInstruction {
  const { vault, wallet } = bench;
  const {
    reserve,
    ctokenVault: vaultCtokens,
    reserveCollateralMint,
  } = reserveAccounts(bench, bench.reserveAddress(index));
  const accounts = {
    user: wallet,
    vaultState: vault.address,
    globalConfig: derive(kvault, 'global_config').address,
    baseVaultAuthority: vault.authority,
    reserve,
    ctokenVault: vaultCtokens,
    userCtokenTa: associatedTokenAddress(wallet, TOKEN_PROGRAM, reserveCollateralMint).address,
    ctokenMint: reserveCollateralMint,
    userSharesTa: bench.shareAccount,
    sharesMint: vault.sharesMint.address,
    reserveCollateralTokenProgram: TOKEN_PROGRAM,
    sharesTokenProgram: TOKEN_PROGRAM,
    klendProgram: klend,
    eventAuthority: eventAuthority(kvault).address,
    program: kvault,
    ...replaced,
  };
  return vaultRedeemInKind.encode(kvault, accounts, { sharesAmount }, reserveMetas(bench));
}
