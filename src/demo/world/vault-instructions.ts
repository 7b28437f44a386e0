import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { U64_MAX, WAD } from '../../numeric/fraction.ts';
import {
  initializeUser,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '../../programs/farms/instructions.ts';
import {
  vaultDeposit,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '../../programs/kvault/instructions.ts';
import { derive } from '../../programs/layout/pda.ts';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/program-ids.ts';
import type { ShareTransferAct, StakeAct, UnstakeAct, VaultDepositAct, VaultWithdrawAct } from './acts.ts';
import type { Farm, FarmUser, Vault, Wallet } from './model.ts';
import { plain, type Step, within } from './steps.ts';
import {
  accountOf,
  burnTokens,
  mintTokens,
  moveTokens,
  openAccount,
  unwrapIfNative,
  wrapIfNative,
} from './token-instructions.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const eventAuthority = derive(kvault, '__event_authority').address;
const globalConfig = derive(kvault, 'global_config').address;

export function vaultDepositSteps(wallet: Wallet, act: VaultDepositAct): Step[] {
  const { vault } = act;
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
    { maxAmount: act.maxAmount },
    reserveMetas(vault),
  );
  const taken = act.tokens + act.crankFunds;
  return [
    ...plain(...wrapIfNative(wallet, mint, act.maxAmount), openAccount(wallet, wallet, vault.sharesMint)),
    within('Deposit', deposit, [
      moveTokens(mint, source, vault.tokenVault.address, wallet.address, taken),
      mintTokens(vault.sharesMint, shares, vault.authority, act.shares),
    ]),
    ...(act.stake === null ? [] : stakeSteps(wallet, vault, act.stake.amount, act.stake.first, U64_MAX)),
    ...plain(...unwrapIfNative(wallet, mint)),
  ];
}

export function vaultWithdrawSteps(wallet: Wallet, act: VaultWithdrawAct): Step[] {
  const { vault, from } = act;
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
  const args = { sharesAmount: act.shares };
  const burnt = burnTokens(vault.sharesMint, shares, wallet.address, act.shares);
  const paid = moveTokens(mint, vault.tokenVault.address, destination, vault.authority, act.tokens);
  const before = [
    ...(act.unstaked > 0n ? unstakeSteps(wallet, vault, act.unstaked) : []),
    ...plain(openAccount(wallet, wallet, mint)),
  ];
  const after = plain(...unwrapIfNative(wallet, mint));
  if (from === null) {
    const fromIdle = vaultWithdrawFromAvailable.encode(kvault, accounts, args, reserveMetas(vault));
    return [...before, within('WithdrawFromAvailable', fromIdle, [burnt, paid]), ...after];
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
    within('Withdraw', fromReserve, [
      burnt,
      burnTokens(reserve.collateralMint, holding.address, vault.authority, from.ctokens),
      moveTokens(mint, reserve.liquidityVault.address, vault.tokenVault.address, authority, from.liquidity),
      paid,
    ]),
    ...after,
  ];
}

export function stakeActSteps(wallet: Wallet, act: StakeAct): Step[] {
  return stakeSteps(wallet, act.vault, act.amount, act.first, act.amount);
}

export function unstakeActSteps(wallet: Wallet, act: UnstakeAct): Step[] {
  return [
    ...plain(openAccount(wallet, wallet, act.vault.sharesMint)),
    ...unstakeSteps(wallet, act.vault, act.amount),
  ];
}

export function shareTransferSteps(wallet: Wallet, act: ShareTransferAct): Step[] {
  const { sharesMint } = act.vault;
  const [source, destination] = [accountOf(wallet, sharesMint), accountOf(act.to, sharesMint)];
  return plain(
    openAccount(wallet, act.to, sharesMint),
    moveTokens(sharesMint, source, destination, wallet.address, act.amount),
  );
}

function farmOf(vault: Vault, wallet: Wallet): { farm: Farm; user: FarmUser; farmVault: Address } {
  const { farm } = vault;
  const user = farm === null ? undefined : wallet.stakes.get(farm.address);
  if (farm === null || user === undefined)
    throw new RangeError(`${wallet.address} has no stake in ${vault.name}`);
  return { farm, user, farmVault: farm.vaultAddress };
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
  return [...(first ? [within('InitializeUser', opening, [])] : []), within('Stake', staking, [moved])];
}

function unstakeSteps(wallet: Wallet, vault: Vault, amount: bigint): Step[] {
  const { farm, user, farmVault } = farmOf(vault, wallet);
  const shares = accountOf(wallet, vault.sharesMint);
  const common = { owner: wallet.address, userState: user.address, farmState: farm.address };
  return [
    within(
      'Unstake',
      unstake.encode(farms, { ...common, scopePrices: null }, { stakeSharesScaled: amount * WAD }),
      [],
    ),
    within(
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
