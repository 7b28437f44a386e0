import { placePoint } from '../numeric/decimal.ts';
import { U64_MAX, WAD } from '../numeric/fraction.ts';
import { initializeUser, stake, unstake, withdrawUnstakedDeposits } from '../programs/farms/instructions.ts';
import { presentAddress, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../programs/program-ids.ts';
import { type BuiltInstruction, instruction } from './built-instruction.ts';
import type { VaultAccounts, VaultFarm } from './vault-accounts.ts';

/** Stakes all unstaked shares of the wallet to earn the farm's rewards. Empty without a farm. */
export function stakeShares({ request, farm, shares, vault }: VaultAccounts): BuiltInstruction[] {
  if (farm === null) return [];
  const { programs, wallet } = request;
  const opening = instruction(
    initializeUser,
    programs.farms,
    {
      authority: wallet,
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
    ...(farm.exists ? [] : [opening]),
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
      { amount: U64_MAX },
      { summary: "Stake all shares of the wallet in the vault's farm" },
    ),
  ];
}

/**
 * Unstakes shares into the wallet's share account, which must exist. Nothing leaves the wallet, so this may run in a
 * transaction before the withdrawal.
 *
 * @param amount base units of shares, or the whole stake.
 */
export function unstakeShares(
  { request, shares, vault }: VaultAccounts,
  farm: VaultFarm,
  amount: bigint | 'all',
): BuiltInstruction[] {
  const { programs, wallet } = request;
  const words = amount === 'all' ? 'all' : placePoint(amount, Number(vault.sharesMintDecimals));
  return [
    instruction(
      unstake,
      programs.farms,
      { owner: wallet, userState: farm.user, farmState: farm.address, scopePrices: scopePrices(farm) },
      { stakeSharesScaled: (amount === 'all' ? U64_MAX : amount) * WAD },
      { summary: `Unstake ${words} shares from the vault's farm`, setup: true },
    ),
    instruction(
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
    ),
  ];
}

const scopePrices = ({ account }: VaultFarm) => presentAddress(account.scopePrices);

const farmTokenProgram = ({ account }: VaultFarm) =>
  presentAddress(account.token.tokenProgram) ?? TOKEN_PROGRAM;
