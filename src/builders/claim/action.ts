import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type Action, once, walletTokenAccount } from '../action.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { distinct } from '../read-accounts.ts';
import { claimAccounts } from './accounts.ts';
import { claimChanges } from './changes.ts';
import { buildClaimRewards, harvestedRewards } from './claim-rewards.ts';
import { claimPreview } from './preview.ts';
import {
  type ClaimRequest,
  claimReads,
  firstClaimReads,
  type StakeAddress,
  secondClaimReads,
} from './request.ts';

/** Kinds of action in this folder, with their descriptions. */
export const CLAIM_ACTIONS = { CLAIM_REWARDS: 'Claim rewards of farms.' } as const;

export interface ClaimActionRequest extends ActionOptions {
  readonly wallet: Address;
  /** Farms to claim from. By default all in which the wallet or one of its obligations has a stake. */
  readonly farms?: readonly Address[];
}

/**
 * A claim of the rewards of a wallet's stakes.
 *
 * @param stakes all stakes of the wallet and of its obligations
 * @throws FARM_STAKE_NOT_FOUND
 * @example
 * claimAction(known, { wallet, farms: [farm] }, stakes);
 */
export function claimAction(
  known: KnownAccounts,
  request: ClaimActionRequest,
  stakes: readonly StakeAddress[],
): Action {
  const { wallet, farms } = request;
  const chosen = chosenStakes(stakes, request);
  const claim: ClaimRequest = {
    programs: known.programs,
    wallet,
    stakes: chosen,
    named: farms !== undefined,
    lookupTables: distinct(chosen.flatMap(({ farm }) => known.tablesOfFarm(farm))),
  };
  return {
    wallet,
    named: firstClaimReads(claim),
    expected: expectedReads(known, claim),
    needed: (read) => secondClaimReads(claim, read),
    build(read, at) {
      const accounts = claimAccounts(claim, read, at);
      const action = buildClaimRewards(accounts, request);
      return {
        kind: 'CLAIM_REWARDS',
        action,
        tables: accounts.tables,
        walletTokens: harvestedRewards(accounts).map(({ token, reward }) =>
          walletTokenAccount(token, reward.info.token.mint, reward.info.token.decimals),
        ),
        preview: once(() => claimPreview(accounts, action)),
        after: once(() => claimChanges(accounts, action, at, read)),
        fresh: at.fresh,
      };
    },
  };
}

/** @throws BUILD_REFUSED for an empty list, which would claim nothing */
export function checkFarms({ farms }: ClaimActionRequest): void {
  if (farms?.length !== 0) return;
  throw new SluiceError('BUILD_REFUSED', { reason: 'the list of farms is empty; omit it to claim from all' });
}

/** The stakes of the farms, or all, by address. */
function chosenStakes(
  stakes: readonly StakeAddress[],
  { wallet, farms }: ClaimActionRequest,
): StakeAddress[] {
  const chosen = stakes
    .filter(({ farm }) => farms === undefined || farms.includes(farm))
    .sort((a, b) => (a.user < b.user ? -1 : 1));
  for (const farm of farms ?? []) {
    if (!chosen.some((stake) => stake.farm === farm)) {
      throw new SluiceError('FARM_STAKE_NOT_FOUND', { farm, wallet });
    }
  }
  return chosen;
}

/** Accounts that the known copies of the farms refer to. */
function expectedReads(known: KnownAccounts, { wallet, stakes }: ClaimRequest): Address[] {
  return distinct(
    stakes.flatMap(({ farm }) => {
      const account = known.farm(farm);
      return account === undefined ? [] : claimReads(wallet, account);
    }),
  );
}
