import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { changePosition, changeReserve } from '../lending/changes.ts';
import { freshAfter } from '../lending/refresh.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { SwappedDeposit } from './combination.ts';

/** The accounts after both halves: their reserves, the obligation, the wallet's tokens, and what the set-up creates. */
export function depositWithdrawChanges(
  { deposit, withdraw }: SwappedDeposit,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, deposit.accounts.payer);
  for (const { accounts, outcome } of [deposit, withdraw]) {
    changePosition(changes, accounts, outcome, moment);
    changeReserve(changes, accounts, outcome, moment);
  }
  // The program refreshes the reserve again after the deposit.
  changes.patch(deposit.accounts.request.reserve, reserveLayout, { lastUpdate: { stale: 0 } });
  changes.addTokens(deposit.accounts.token.address, -deposit.outcome.effect.moved);
  changes.addTokens(withdraw.accounts.token.address, withdraw.outcome.effect.moved);
  return changes.changes;
}

/** The reserves that stay refreshed afterwards: all but the one that was withdrawn from. */
export const freshAfterSwap = ({ withdraw }: SwappedDeposit): ReadonlySet<Address> =>
  freshAfter(withdraw.accounts);
