import {
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '@sluice/protocol/farms/instructions';
import {
  vaultDeposit,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '@sluice/protocol/kvault/instructions';
import { derive } from '@sluice/protocol/layout/pda';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { farmUserIn } from './farms.ts';
import type { Farm, FarmUser, Vault, Wallet } from './model.ts';
import {
  accountOf,
  burnTokens,
  mintTokens,
  moveTokens,
  openAccount,
  unwrapIfNative,
  wrapIfNative,
} from './token-instructions.ts';
import { plain, type Step, withInner } from './transaction-steps.ts';
import type {
  ShareTransferAction,
  StakeAction,
  UnstakeAction,
  VaultDepositAction,
  VaultWithdrawAction,
} from './world-actions.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const eventAuthority = derive(kvault, '__event_authority').address;
const globalConfig = derive(kvault, 'global_config').address;

export function vaultDepositSteps(wallet: Wallet, action: VaultDepositAction): Step[] {
  const { vault } = action;
  const { mint } = vault.token;
  const [source, shares] = [accountOf(wallet, mint), accountOf(wallet, vault.sharesMint)];
  const deposit = vaultDeposit.encode(
    kvault,
    {
      user: wallet.address,
      vaultState: vault.address,
      tokenVault: vault.tokenVault.address,
      tokenMint: mint.address,
      baseVaultAuthority: vault.authority,
      sharesMint: vault.sharesMint.address,
      userTokenAta: source,
      userSharesAta: shares,
      klendProgram: klend,
      tokenProgram: mint.program,
      sharesTokenProgram: TOKEN_PROGRAM,
      eventAuthority,
      program: kvault,
    },
    { maxAmount: action.maxAmount },
    reserveMetas(vault),
  );
  const taken = action.tokens + action.crankFunds;
  return [
    ...plain(...wrapIfNative(wallet, mint, action.maxAmount), openAccount(wallet, wallet, vault.sharesMint)),
    withInner('Deposit', deposit, [
      moveTokens(mint, source, vault.tokenVault.address, wallet.address, taken),
      mintTokens(vault.sharesMint, shares, vault.authority, action.shares),
    ]),
    ...(action.stake === null
      ? []
      : stakeSteps(wallet, vault, action.stake.amount, action.stake.first, U64_MAX)),
    ...plain(...unwrapIfNative(wallet, mint)),
  ];
}

export function vaultWithdrawSteps(wallet: Wallet, action: VaultWithdrawAction): Step[] {
  const { vault, from } = action;
  const { mint } = vault.token;
  const [destination, shares] = [accountOf(wallet, mint), accountOf(wallet, vault.sharesMint)];
  const accounts = {
    user: wallet.address,
    vaultState: vault.address,
    globalConfig,
    tokenVault: vault.tokenVault.address,
    baseVaultAuthority: vault.authority,
    userTokenAta: destination,
    tokenMint: mint.address,
    userSharesAta: shares,
    sharesMint: vault.sharesMint.address,
    tokenProgram: mint.program,
    sharesTokenProgram: TOKEN_PROGRAM,
    klendProgram: klend,
    eventAuthority,
    program: kvault,
  };
  const args = { sharesAmount: action.shares };
  const burnt = burnTokens(vault.sharesMint, shares, wallet.address, action.burned);
  const paid = moveTokens(mint, vault.tokenVault.address, destination, vault.authority, action.tokens);
  const before = [
    ...(action.unstaked > 0n ? unstakeSteps(wallet, vault, action.unstaked) : []),
    ...plain(openAccount(wallet, wallet, mint)),
  ];
  const after = plain(...unwrapIfNative(wallet, mint));
  if (from === null) {
    const fromIdle = vaultWithdrawFromAvailable.encode(kvault, accounts, args, reserveMetas(vault));
    return [...before, withInner('WithdrawFromAvailable', fromIdle, [burnt, paid]), ...after];
  }
  const { reserve, holding } = from.allocation;
  const fromReserve = vaultWithdraw.encode(
    kvault,
    {
      ...accounts,
      reserveVaultState: vault.address,
      reserve: reserve.address,
      ctokenVault: holding.address,
      lendingMarket: reserve.market.address,
      lendingMarketAuthority: reserve.market.authority,
      reserveLiquiditySupply: reserve.liquidityVault.address,
      reserveCollateralMint: reserve.collateralMint.address,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      outerEventAuthority: eventAuthority,
      outerProgram: kvault,
    },
    args,
    reserveMetas(vault),
  );
  const { authority } = reserve.market;
  return [
    ...before,
    withInner('Withdraw', fromReserve, [
      burnt,
      burnTokens(reserve.collateralMint, holding.address, vault.authority, from.ctokens),
      moveTokens(mint, reserve.liquidityVault.address, vault.tokenVault.address, authority, from.liquidity),
      paid,
    ]),
    ...after,
  ];
}

export function stakeActionSteps(wallet: Wallet, action: StakeAction): Step[] {
  return stakeSteps(wallet, action.vault, action.amount, action.first, action.amount);
}

export function unstakeActionSteps(wallet: Wallet, action: UnstakeAction): Step[] {
  return [
    ...plain(openAccount(wallet, wallet, action.vault.sharesMint)),
    ...unstakeSteps(wallet, action.vault, action.amount),
  ];
}

export function shareTransferSteps(wallet: Wallet, action: ShareTransferAction): Step[] {
  const { sharesMint } = action.vault;
  const [source, destination] = [accountOf(wallet, sharesMint), accountOf(action.to, sharesMint)];
  return plain(
    openAccount(wallet, action.to, sharesMint),
    moveTokens(sharesMint, source, destination, wallet.address, action.amount),
  );
}

function farmOf(vault: Vault, wallet: Wallet): { farm: Farm; user: FarmUser; farmVault: Address } {
  const { farm } = vault;
  if (farm === null) throw new RangeError(`${vault.name} has no farm`);
  return { farm, user: farmUserIn(farm, wallet), farmVault: farm.vaultAddress };
}

function stakeSteps(wallet: Wallet, vault: Vault, amount: bigint, first: boolean, argument: bigint): Step[] {
  const { farm, user, farmVault } = farmOf(vault, wallet);
  const shares = accountOf(wallet, vault.sharesMint);
  const staking = stake.encode(
    farms,
    {
      owner: wallet.address,
      userState: user.address,
      farmState: farm.address,
      farmVault,
      userAta: shares,
      tokenMint: vault.sharesMint.address,
      scopePrices: null,
      tokenProgram: TOKEN_PROGRAM,
    },
    { amount: argument },
  );
  const opening = initializeUser.encode(
    farms,
    {
      authority: wallet.address,
      payer: wallet.address,
      owner: wallet.address,
      delegatee: wallet.address,
      userState: user.address,
      farmState: farm.address,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    {},
  );
  const moved = moveTokens(vault.sharesMint, shares, farmVault, wallet.address, amount);
  return [...(first ? [withInner('InitializeUser', opening, [])] : []), withInner('Stake', staking, [moved])];
}

function unstakeSteps(wallet: Wallet, vault: Vault, amount: bigint): Step[] {
  const { farm, user, farmVault } = farmOf(vault, wallet);
  const shares = accountOf(wallet, vault.sharesMint);
  const common = { owner: wallet.address, userState: user.address, farmState: farm.address };
  return [
    withInner(
      'Unstake',
      unstake.encode(farms, { ...common, scopePrices: null }, { stakeSharesScaled: amount * WAD }),
      [],
    ),
    withInner(
      'WithdrawUnstakedDeposits',
      withdrawUnstakedDeposits.encode(
        farms,
        {
          ...common,
          userAta: shares,
          farmVault,
          farmVaultsAuthority: farm.authority,
          tokenProgram: TOKEN_PROGRAM,
        },
        {},
      ),
      [moveTokens(vault.sharesMint, farmVault, shares, farm.authority, amount)],
    ),
  ];
}

/** All reserves of the vault, then their markets. */
export function reserveMetas(vault: Vault): AccountMeta[] {
  return [
    ...vault.allocations.map(({ reserve }) => ({ address: reserve.address, role: AccountRole.WRITABLE })),
    ...vault.allocations.map(({ reserve }) => ({
      address: reserve.market.address,
      role: AccountRole.READONLY,
    })),
  ];
}
