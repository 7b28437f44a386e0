import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { ceilScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { NO_GROUP } from '../../domain/elevation.ts';
import type { Moment } from '../../domain/moment.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { changed } from '../changed-account.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { ElevationAccounts } from './accounts.ts';
import { pricedReserves } from './preview.ts';

/** The accounts after a move: the obligation in its new group, and the reserves' counters of debt. */
export function elevationChanges(
  accounts: ElevationAccounts,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { request, obligation, obligationAddress, referrer, referrerStates, market } = accounts;
  const changes = new ChangedAccounts(read, accounts.payer);
  if (referrer !== null) {
    for (const { address } of referrerStates) {
      changes.create(address, request.programs.klend, referrerTokenState.encode({ referrer }));
    }
  }
  const priced = pricedReserves(accounts, moment);
  const debts = refreshedObligation(obligation, market, (address) => priced.get(address))?.debts ?? [];
  const owedIn = (reserve: string) =>
    ceilScaled(debts.find((debt) => debt.reserve === reserve)?.amountSf ?? 0n);
  const isInside = request.group !== NO_GROUP;
  const owed = debts.reduce((sum, { amountSf }) => sum + ceilScaled(amountSf), 0n);
  changes.patch(obligationAddress, obligationLayout, {
    elevationGroup: request.group,
    lastUpdate: { stale: 1 },
    deposits: obligation.deposits.map((deposit) =>
      changed(deposit, {
        borrowedAmountAgainstThisCollateralInElevationGroup:
          isInside && deposit.depositedAmount > 0n ? owed : 0n,
      }),
    ),
    borrows: obligation.borrows.map((borrow) =>
      changed(borrow, {
        borrowedAmountOutsideElevationGroups: isInside ? 0n : owedIn(borrow.borrowReserve),
      }),
    ),
  });
  changeCounters(changes, accounts, isInside ? () => 0n : owedIn, isInside ? owed : 0n);
  return changes.changes;
}

/**
 * @param owedOutside debt in a reserve that counts outside groups
 * @param owedInside debt that every collateral reserve counts for the new group
 */
function changeCounters(
  changes: ChangedAccounts,
  { request, obligation, reserves }: ElevationAccounts,
  owedOutside: (reserve: string) => bigint,
  owedInside: bigint,
): void {
  for (const [address, account] of reserves) {
    const deposit = obligation.deposits.find(({ depositReserve }) => depositReserve === address);
    const borrow = obligation.borrows.find(({ borrowReserve }) => borrowReserve === address);
    const left = deposit?.borrowedAmountAgainstThisCollateralInElevationGroup ?? 0n;
    const outside = account.borrowedAmountOutsideElevationGroup;
    changes.patch(address, reserveLayout, {
      borrowedAmountOutsideElevationGroup:
        borrow && atLeastZero(outside - borrow.borrowedAmountOutsideElevationGroups) + owedOutside(address),
      borrowedAmountsAgainstThisReserveInElevationGroups:
        deposit &&
        account.borrowedAmountsAgainstThisReserveInElevationGroups.map((counted, index) => {
          const withoutThisLoan =
            index === obligation.elevationGroup - 1 ? atLeastZero(counted - left) : counted;
          return index === request.group - 1 ? withoutThisLoan + owedInside : withoutThisLoan;
        }),
    });
  }
}
