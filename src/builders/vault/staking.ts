import {
  initializeUser,
  refreshUserState,
  stake,
  unstake,
  withdrawUnstakedDeposits,
} from '@sluice/protocol/farms/instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { presentAddress, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Amount } from '../amount.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts, VaultFarm } from './accounts.ts';

/**
 * Stakes unstaked shares of the wallet to earn the farm's rewards.
 *
 * @param amount base units of shares, or all that the wallet holds at execution.
 */
export function stakeShares(
  { request, shares, vault }: VaultAccounts,
  farm: VaultFarm,
  amount: Amount,
): BuiltInstruction[] {
  const { programs, wallet } = request;
  const words =
    amount === 'all'
      ? 'all shares of the wallet'
      : `${placePoint(amount, Number(vault.sharesMintDecimals))} shares`;
  const opening = instruction(
    initializeUser,
    programs.farms,
    {
      authority: wallet,
      // The program requires the owner to pay, even with another fee payer.
      payer: wallet,
      owner: wallet,
      delegatee: wallet,
      userState: farm.user,
      farmState: farm.address,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
    },
    {},
    { summary: "Create the wallet's stake account in the vault's farm", setup: true },
  );
  return [
    ...(farm.stake === null ? [opening] : []),
    instruction(
      stake,
      programs.farms,
      {
        owner: wallet,
        userState: farm.user,
        farmState: farm.address,
        farmVault: farm.account.farmVault,
        userAta: shares.address,
        tokenMint: vault.sharesMint,
        scopePrices: scopePrices(farm),
        tokenProgram: farmTokenProgram(farm),
      },
      { amount: amount === 'all' ? U64_MAX : amount },
      { summary: `Stake ${words} in the vault's farm` },
    ),
  ];
}

/** Makes a deposit active whose warm-up is over. */
export function activateStake({ request }: VaultAccounts, farm: VaultFarm): BuiltInstruction {
  return instruction(
    refreshUserState,
    request.programs.farms,
    { userState: farm.user, farmState: farm.address, scopePrices: scopePrices(farm) },
    {},
    { summary: 'Make the shares active whose warm-up is over', setup: true },
  );
}

/** Ends a part of the stake. The shares stay in the farm until its cooldown is over. */
export function endStake(
  { request, vault }: VaultAccounts,
  farm: VaultFarm,
  amount: Amount,
): BuiltInstruction {
  const { programs, wallet } = request;
  const words = amount === 'all' ? 'all' : placePoint(amount, Number(vault.sharesMintDecimals));
  return instruction(
    unstake,
    programs.farms,
    { owner: wallet, userState: farm.user, farmState: farm.address, scopePrices: scopePrices(farm) },
    { stakeSharesScaled: (amount === 'all' ? U64_MAX : amount) * WAD },
    { summary: `Unstake ${words} shares from the vault's farm`, setup: true },
  );
}

/** Moves unstaked shares whose cooldown is over to the wallet's share account, which must exist. */
export function withdrawUnstaked({ request, shares }: VaultAccounts, farm: VaultFarm): BuiltInstruction {
  const { programs, wallet } = request;
  return instruction(
    withdrawUnstakedDeposits,
    programs.farms,
    {
      owner: wallet,
      userState: farm.user,
      farmState: farm.address,
      userAta: shares.address,
      farmVault: farm.account.farmVault,
      farmVaultsAuthority: farm.account.farmVaultsAuthority,
      tokenProgram: farmTokenProgram(farm),
    },
    {},
    { summary: 'Withdraw the unstaked shares to the wallet', setup: true },
  );
}

const scopePrices = ({ account }: VaultFarm) => presentAddress(account.scopePrices);

const farmTokenProgram = ({ account }: VaultFarm) =>
  presentAddress(account.token.tokenProgram) ?? TOKEN_PROGRAM;

/** The stake account is the one account for which a fee payer cannot pay. */
export function stakeRentWarnings({ request, payer, farm }: VaultAccounts): BuildWarning[] {
  if (payer === request.wallet || farm === null || farm.stake !== null) return [];
  const message =
    'The wallet pays the rent of its stake account, because the farms program accepts no other payer.';
  return [warning('RENT_FROM_WALLET', message)];
}

/** Shares that are staked now earn nothing during the farm's warm-up. */
export function warmUpWarnings({ farm }: VaultAccounts): BuildWarning[] {
  const period = farm?.account.depositWarmupPeriod ?? 0;
  if (farm === null || period === 0) return [];
  const message = `The shares earn rewards after a warm-up of ${inFarmTime(farm, period)}. They count as staked from then on, and cannot be withdrawn before.`;
  return [warning('STAKE_WARM_UP', message)];
}

/** A duration in the farm's unit of time, in words. */
export function inFarmTime({ account }: VaultFarm, duration: number | bigint): string {
  return `${duration} ${account.timeUnit === 0 ? 'seconds' : 'slots'}`;
}
