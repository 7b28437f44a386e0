import type { BuiltAction } from '../built-instruction.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { distinct } from '../read-accounts.ts';
import { wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { ClaimAccounts, StakeReward } from './accounts.ts';
import { harvestedRewards, hindrance, isSolReward } from './claim-rewards.ts';

/** The rewards that the wallet receives. */
export function claimPreview(accounts: ClaimAccounts, action: BuiltAction): Preview {
  return {
    ...NO_FIGURES,
    rewards: harvestedRewards(accounts).map(({ stake, reward, harvest }) => ({
      farm: stake.farm,
      mint: reward.info.token.mint,
      decimals: Number(reward.info.token.decimals),
      amount: harvest.paid,
    })),
    warnings: claimWarnings(accounts, action),
  };
}

/** Rewards that the claim leaves out, and what happens to wrapped SOL. */
function claimWarnings(accounts: ClaimAccounts, action: BuiltAction): BuildWarning[] {
  const harvested = harvestedRewards(accounts);
  const sol = harvested.find(isSolReward)?.token;
  return [
    ...hindered(accounts),
    ...(accounts.request.named ? empty(accounts, harvested) : []),
    ...(sol === undefined
      ? []
      : wrappedSolWarnings(sol, action.wrappedSol, 'The reward stays in the wallet as wrapped SOL.')),
  ];
}

function hindered({ rewards }: ClaimAccounts): BuildWarning[] {
  return rewards.flatMap((each): BuildWarning[] => {
    const reason = each.harvest.paid > 0n ? hindrance(each) : null;
    if (reason === null) return [];
    const { mint } = each.reward.info.token;
    return [warning('REWARD_LEFT_OUT', `The reward ${mint} is left out: ${reason}.`)];
  });
}

/** Farms that the caller named although they have nothing to pay. */
function empty({ request, rewards }: ClaimAccounts, harvested: readonly StakeReward[]): BuildWarning[] {
  const earning = new Set(rewards.filter(({ harvest }) => harvest.paid > 0n).map(({ stake }) => stake.farm));
  if (harvested.length === 0) return [];
  return distinct(request.stakes.map(({ farm }) => farm))
    .filter((farm) => !earning.has(farm))
    .map((farm) => warning('REWARD_LEFT_OUT', `Farm ${farm} is left out: it has nothing to claim.`));
}
