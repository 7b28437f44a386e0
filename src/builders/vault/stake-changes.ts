import type { Address } from '@solana/kit';
import type { StakePools } from '../../domain/farm-stake.ts';
import { farmState } from '../../programs/farms/farm-state.ts';
import { userState } from '../../programs/farms/user-state.ts';
import type { ChangedAccounts } from '../account-changes.ts';
import type { VaultFarm } from './accounts.ts';

/** Writes a stake and its farm as an action leaves them; creates the stake account unless it exists. */
export function writePools(
  changes: ChangedAccounts,
  farm: VaultFarm,
  { active, pending, staked, entering, leaving }: StakePools,
  { wallet, farms }: { readonly wallet: Address; readonly farms: Address },
): void {
  const fields = { farmState: farm.address, owner: wallet, delegatee: wallet };
  changes.create(farm.user, farms, userState.encode(fields), wallet);
  changes.patch(farm.user, userState, {
    activeStakeScaled: staked,
    pendingDepositStakeScaled: entering,
    pendingWithdrawalUnstakeScaled: leaving,
  });
  changes.patch(farm.address, farmState, {
    totalStakedAmount: active.amount,
    totalActiveStakeScaled: active.shares,
    totalPendingAmount: pending.amount,
    totalPendingStakeScaled: pending.shares,
  });
}
