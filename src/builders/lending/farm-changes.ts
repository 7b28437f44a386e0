import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { afterDelegation, farmStakeAt } from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import type { ChangedAccounts } from '../account-changes.ts';
import { readableAccount } from '../read-accounts.ts';
import { writeStake } from '../stake-changes.ts';
import type { LendingAccounts } from './accounts.ts';
import type { LendingAction } from './request.ts';

/** The side of an obligation that an action changes, and whose farm it reports to. */
export const SIDE_OF_ACTION = {
  deposit: 'deposit',
  withdraw: 'deposit',
  borrow: 'debt',
  repay: 'debt',
} as const satisfies Record<LendingAction, 'deposit' | 'debt'>;

/** Stake of an obligation in the farm of a reserve: its collateral tokens, or the whole base units that it owes. */
export function positionSize(
  { deposits, borrows }: Obligation,
  reserve: Address,
  side: 'deposit' | 'debt',
): bigint {
  if (side === 'deposit') {
    return deposits.find(({ depositReserve }) => depositReserve === reserve)?.depositedAmount ?? 0n;
  }
  const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserve);
  return (debt?.borrowedAmountSf ?? 0n) / FRACTION_ONE;
}

/** The lending program reports a position to the farm of its reserve. Only a later claim depends on it, and reads the farm. */
export function changeFarmStake(
  changes: ChangedAccounts,
  { farm: stake, request }: LendingAccounts,
  staked: bigint,
  moment: Moment,
): void {
  if (stake === null) return;
  const { farms } = request.programs;
  const farm = readableAccount(changes.read, stake.farm, farmState, farms);
  const user = readableAccount(changes.read, stake.user, userState, farms);
  if (farm === null || user === null || user.activeStakeScaled === staked) return;
  writeStake(changes, stake, afterDelegation(farmStakeAt(farm, user, moment), staked));
}
