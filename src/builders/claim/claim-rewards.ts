import { rewardTreasury } from '@sluice/protocol/farms/addresses';
import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { presentAddress, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol } from '../token-instructions.ts';
import type { ClaimAccounts, StakeReward } from './accounts.ts';
import { rewardTokenProgram } from './request.ts';

/** The rewards that a claim harvests: there is something to pay, and the program would pay it now. */
export function harvestedRewards({ rewards }: ClaimAccounts): StakeReward[] {
  return rewards.filter((each) => each.harvest.paid > 0n && hindrance(each) === null);
}

/** Why the program would reject the claim of a reward now; null when it would not. */
export function hindrance({ stake, wait, oracleRefused }: StakeReward): string | null {
  if (oracleRefused) return `the program would not accept the oracle of farm ${stake.farm} now`;
  if (wait === 0n) return null;
  const unit = stake.farmAccount.timeUnit === 0 ? 'seconds' : 'slots';
  return `farm ${stake.farm} lets the wallet claim again in ${wait} ${unit}`;
}

/**
 * Harvests every reward that can be claimed now. A harvest brings farm and stake up to date by itself, so neither a
 * refresh of the farm nor one of the obligation comes before it.
 *
 * @throws NOTHING_TO_CLAIM
 * @example
 * buildClaimRewards(claimAccounts(request, read, at));
 */
export function buildClaimRewards(
  accounts: ClaimAccounts,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const harvested = harvestedRewards(accounts);
  if (harvested.length === 0) throw nothingToClaim(accounts);
  const { wallet } = accounts.request;
  const sol = harvested.find(isSolReward)?.token;
  const closes = sol !== undefined && closesWrappedSol('in', sol, unwrap);
  return {
    // Rewards have several mints, so there is no one amount.
    amount: 0n,
    all: true,
    wrappedSol: sol === undefined ? null : closes ? 'closed' : 'open',
    // A harvest does not depend on others.
    divisible: true,
    instructions: [
      ...missingTokenAccounts(accounts, harvested),
      ...harvested.map((each) => harvest(accounts, each)),
      ...(closes ? [unwrapSol(wallet, sol.address)] : []),
    ],
  };
}

function nothingToClaim({ request, rewards }: ClaimAccounts): CodedError {
  const hindered = rewards.find(({ harvest }) => harvest.paid > 0n);
  const reason = (hindered && hindrance(hindered)) ?? 'its stakes have earned nothing since the last claim';
  return new SluiceError('NOTHING_TO_CLAIM', { wallet: request.wallet, reason });
}

/** Whether a reward is paid in wrapped SOL. */
export const isSolReward = ({ reward }: StakeReward) =>
  reward.info.token.mint === WRAPPED_SOL_MINT && rewardTokenProgram(reward.info) === TOKEN_PROGRAM;

function missingTokenAccounts(
  { request, payer }: ClaimAccounts,
  harvested: readonly StakeReward[],
): BuiltInstruction[] {
  const missing = new Map(
    harvested
      .filter(({ token }) => token.account === null)
      .map((each) => [each.token.address, each.reward.info] as const),
  );
  return [...missing].map(([address, info]) =>
    createTokenAccount(
      { wallet: request.wallet, payer },
      address,
      info.token.mint,
      rewardTokenProgram(info),
      `the reward ${info.token.mint}`,
    ),
  );
}

function harvest(
  { request }: ClaimAccounts,
  { stake, reward, harvest, token }: StakeReward,
): BuiltInstruction {
  const { farmAccount, farm, user } = stake;
  const { mint, decimals } = reward.info.token;
  const { farms } = request.programs;
  return instruction(
    harvestReward,
    farms,
    {
      payer: request.wallet,
      userState: user,
      farmState: farm,
      globalConfig: farmAccount.globalConfig,
      rewardMint: mint,
      userRewardTokenAccount: token.address,
      rewardsVault: reward.info.rewardsVault,
      rewardsTreasuryVault: rewardTreasury(farms, farmAccount.globalConfig, mint).address,
      farmVaultsAuthority: farmAccount.farmVaultsAuthority,
      scopePrices: presentAddress(farmAccount.scopePrices),
      tokenProgram: rewardTokenProgram(reward.info),
    },
    { rewardIndex: BigInt(reward.index) },
    { summary: `Claim ${placePoint(harvest.paid, Number(decimals))} of ${mint} from farm ${farm}` },
  );
}
