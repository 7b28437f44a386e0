import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { changed } from '../changed-account.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { createAccounts, EMPTY_DEBT, flowed, storedPriceOf } from '../lending/changes.ts';
import { refreshedAt } from '../lending/effects.ts';
import { changeFarmStake, positionSize } from '../lending/farm-changes.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { isSameReserve, type RollOverAccounts } from './roll-over-accounts.ts';
import type { RollOverOutcome } from './roll-over-outcome.ts';

/** The accounts after a rollover: both reserves, the obligation, its stakes, and what the set-up creates. */
export function rollOverChanges(
  accounts: RollOverAccounts,
  outcome: RollOverOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { request, obligation, source, target } = accounts;
  // New stakes belong to the owner of the obligation, whoever sends the rollover.
  const owned = (side: LendingAccounts): LendingAccounts => ({
    ...side,
    request: { ...side.request, wallet: obligation.owner },
  });
  const changes = new ChangedAccounts(read, target.payer);
  if (!isSameReserve(accounts)) {
    createAccounts(changes, { ...owned(source), referrerStates: [] });
    createAccounts(changes, owned(target));
    changeReserves(changes, accounts, outcome, moment);
    for (const side of [source, target]) {
      const staked = positionSize(outcome.after.obligation, side.request.reserve, 'debt');
      changeFarmStake(changes, side, staked, moment);
    }
  } else createAccounts(changes, { ...owned(target), farm: null });
  changes.patch(request.obligation, obligationLayout, {
    lastUpdate: { ...refreshedAt(moment), stale: 1 },
    borrows: outcome.after.obligation.borrows.map((each) =>
      each.borrowReserve === NO_ADDRESS ? EMPTY_DEBT : each,
    ),
  });
  return changes.changes;
}

function changeReserves(
  changes: ChangedAccounts,
  { source, target, debt }: RollOverAccounts,
  { reserves, rollover: { moved, isPart } }: RollOverOutcome,
  { timestamp }: Moment,
): void {
  const change = (side: LendingAccounts, outflow: bigint, outside: bigint | undefined) => {
    const after = reserves.get(side.request.reserve);
    if (after === undefined) return;
    const price = storedPriceOf(side, timestamp);
    const { slot, timestamp: at } = after.lastUpdate;
    changes.patch(side.request.reserve, reserveLayout, {
      lastUpdate: { slot, timestamp: at, stale: 1, ...price?.lastUpdate },
      liquidity: changed(after.liquidity, price?.liquidity ?? {}),
      config: { debtWithdrawalCap: flowed(side.reserve.config.debtWithdrawalCap, outflow, timestamp) },
      borrowedAmountOutsideElevationGroup: outside,
    });
  };
  // A refresh replaces what an open debt counts; a closed one leaves the counter with the rollover.
  const counted = source.reserve.borrowedAmountOutsideElevationGroup;
  const own = debt.borrowedAmountOutsideElevationGroups;
  change(source, -moved, isPart ? undefined : counted > own ? counted - own : 0n);
  change(target, moved, undefined);
}
