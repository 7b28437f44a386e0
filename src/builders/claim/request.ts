import { type FarmState, farmState, type RewardInfo } from '@sluice/protocol/farms/farm-state';
import { type UserState, userState } from '@sluice/protocol/farms/user-state';
import { type ProgramIds, presentAddress, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { farmRewards } from '../../domain/rewards.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { distinct, optionalAccount, type ReadAccounts } from '../read-accounts.ts';

/** A stake of a wallet or of one of its obligations. */
export interface StakeAddress {
  readonly user: Address;
  readonly farm: Address;
}

/** A requested claim, before any account is read. */
export interface ClaimRequest {
  readonly programs: ProgramIds;
  /** Owner of the stakes, and a signer. */
  readonly wallet: Address;
  /** The stakes to claim from. */
  readonly stakes: readonly StakeAddress[];
  /** Whether the caller named the farms, instead of asking for all. */
  readonly named: boolean;
  readonly lookupTables: readonly Address[];
}

/** A stake and its farm. */
export interface ReadStake extends StakeAddress {
  readonly farmAccount: FarmState;
  readonly userAccount: UserState;
}

/** Accounts to read in the first round. */
export function firstClaimReads({ wallet, stakes, lookupTables }: ClaimRequest): Address[] {
  return distinct([wallet, ...stakes.flatMap(({ user, farm }) => [user, farm]), ...lookupTables]);
}

/** The stakes that still exist. */
export function readStakes({ programs, wallet, stakes }: ClaimRequest, read: ReadAccounts): ReadStake[] {
  return stakes.flatMap(({ user, farm }): ReadStake[] => {
    const userAccount = optionalAccount(read, user, userState, programs.farms);
    const farmAccount = optionalAccount(read, farm, farmState, programs.farms);
    if (userAccount === null || farmAccount === null) return [];
    if (userAccount.owner !== wallet) throw new SluiceError('FARM_STAKE_NOT_FOUND', { farm, wallet });
    return [{ user, farm, userAccount, farmAccount }];
  });
}

/** Either token program; SPL Token for old rewards that do not store it. */
export function rewardTokenProgram({ token }: RewardInfo): Address {
  return presentAddress(token.tokenProgram) ?? TOKEN_PROGRAM;
}

/** The wallet's account for a reward. */
export function rewardAccount(wallet: Address, info: RewardInfo): Address {
  return associatedTokenAddress(wallet, rewardTokenProgram(info), info.token.mint).address;
}

/** Accounts to read in the second round: the program's settings, the oracles and the wallet's reward accounts. */
export function secondClaimReads(request: ClaimRequest, read: ReadAccounts): Address[] {
  const known = new Set(firstClaimReads(request));
  return distinct(
    readStakes(request, read).flatMap(({ farmAccount }) => claimReads(request.wallet, farmAccount)),
  ).filter((address) => !known.has(address));
}

/** Accounts derived from a farm. */
export function claimReads(wallet: Address, farm: FarmState): (Address | null)[] {
  return [
    farm.globalConfig,
    presentAddress(farm.scopePrices),
    ...farmRewards(farm).map(({ info }) => rewardAccount(wallet, info)),
  ];
}
