import { userState } from '@sluice/protocol/farms/user-state';
import { ONE } from '@sluice/protocol/numeric/rational';
import { type FarmStake, farmStakeAt } from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import type { ChangedAccounts } from '../account-changes.ts';
import { farmOracleRate } from '../farm-oracle.ts';
import { writeStake } from '../stake-changes.ts';
import type { VaultAccounts, VaultFarm } from './accounts.ts';

/** Writes the wallet's stake and its farm as a change leaves them. Creates the stake account unless it exists. */
export function putStake(
  changes: ChangedAccounts,
  { request }: VaultAccounts,
  { address: farm, account, user, stake }: VaultFarm,
  change: (before: FarmStake) => FarmStake,
  moment: Moment,
): void {
  const { wallet, programs } = request;
  const fields = { farmState: farm, owner: wallet, delegatee: wallet };
  changes.create(user, programs.farms, userState.encode(fields), wallet);
  // Only a later claim depends on the oracle, and reads it.
  const rate = farmOracleRate(account, changes.read, moment) ?? ONE;
  writeStake(changes, { farm, user }, change(farmStakeAt(account, stake, moment, rate)));
}
