import type { Address } from '@solana/kit';
import { type Action, once } from '../../builders/action.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import { claimAccounts } from '../../builders/claim/accounts.ts';
import { claimChanges } from '../../builders/claim/changes.ts';
import { buildClaimRewards, harvestedRewards } from '../../builders/claim/claim-rewards.ts';
import { claimPreview } from '../../builders/claim/preview.ts';
import {
  type ClaimRequest,
  claimReads,
  firstClaimReads,
  type StakeAddress,
  secondClaimReads,
} from '../../builders/claim/request.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { presentAddress } from '../../programs/program-ids.ts';
import { vaultOfFarm } from '../farm-stakes.ts';
import type { Session } from '../records.ts';
import { marketTables } from './lookup-tables.ts';
import { walletTokenAccount } from './wallet-token.ts';

export interface ClaimActionRequest extends ActionOptions {
  readonly wallet: Address;
  /** Farms to claim from. By default all in which the wallet or one of its obligations has a stake. */
  readonly farms?: readonly Address[];
}

/**
 * A claim of the rewards of a wallet's stakes. One search finds them.
 *
 * @throws FARM_STAKE_NOT_FOUND
 */
export async function claimRewardsAction(session: Session, request: ClaimActionRequest): Promise<Action> {
  const { wallet, farms, unwrapSol } = request;
  const stakes = await chosenStakes(session, wallet, farms);
  const claim: ClaimRequest = {
    programs: session.programs,
    wallet,
    stakes,
    named: farms !== undefined,
    lookupTables: tablesOf(session, stakes),
  };
  return {
    kind: 'CLAIM_REWARDS',
    wallet,
    named: firstClaimReads(claim),
    expected: expectedReads(session, claim),
    needed: (read) => secondClaimReads(claim, read),
    build(read, at) {
      const accounts = claimAccounts(claim, read, at);
      const action = buildClaimRewards(accounts, unwrapSol === undefined ? {} : { unwrapSol });
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

/** The stakes of the farms, or all, by address. */
async function chosenStakes(
  session: Session,
  wallet: Address,
  farms: readonly Address[] | undefined,
): Promise<StakeAddress[]> {
  if (farms?.length === 0) {
    throw new SluiceError('BUILD_REFUSED', {
      reason: 'the list of farms is empty; omit it to claim from all',
    });
  }
  const { found } = await session.stakesOf(wallet);
  const stakes = found
    .map(({ address, value }) => ({ user: address, farm: value.farmState }))
    .filter(({ farm }) => farms === undefined || farms.includes(farm))
    .sort((a, b) => (a.user < b.user ? -1 : 1));
  for (const farm of farms ?? []) {
    if (!stakes.some((stake) => stake.farm === farm)) {
      throw new SluiceError('FARM_STAKE_NOT_FOUND', { farm, wallet });
    }
  }
  return stakes;
}

/** Tables of the vaults and markets whose farms these are. */
function tablesOf(session: Session, stakes: readonly StakeAddress[]): Address[] {
  const { view } = session;
  return distinct(
    stakes.flatMap(({ farm: address }) => {
      const farm = view.get('farm', address);
      const vault = farm && vaultOfFarm(view, farm);
      const reserve = view.reserveOfFarm(address);
      return [
        vault ? presentAddress(vault.value.vaultLookupTable) : null,
        ...(reserve ? marketTables(session, reserve.value.lendingMarket) : []),
      ];
    }),
  );
}

/** Accounts that the farms in the View refer to. */
function expectedReads({ view }: Session, { wallet, stakes }: ClaimRequest): Address[] {
  return distinct(
    stakes.flatMap(({ farm }) => {
      const account = view.get('farm', farm)?.value;
      return account === undefined ? [] : claimReads(wallet, account);
    }),
  );
}
