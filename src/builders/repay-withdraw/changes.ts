import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { changePosition, changeReserve } from '../lending/changes.ts';
import { freshAfter } from '../lending/refresh.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import { lamportsToWrap } from './build.ts';
import type { Combination } from './combination.ts';

/** The accounts after both halves: their reserves, the obligation, the wallet, and what the set-up creates. */
export function repayWithdrawChanges(
  done: Combination,
  { wrappedSol }: Pick<BuiltAction, 'wrappedSol'>,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { repay, withdraw } = done;
  const changes = new ChangedAccounts(read, repay.accounts.payer);
  for (const { accounts, outcome } of [repay, withdraw]) {
    changePosition(changes, accounts, outcome, moment);
    changeReserve(changes, accounts, outcome, moment);
  }
  if (staysFresh(done)) {
    changes.patch(repay.accounts.request.reserve, reserveLayout, { lastUpdate: { stale: 0 } });
  }
  const closes = wrappedSol === 'closed';
  const isSame = repay.accounts.token.address === withdraw.accounts.token.address;
  moveTokens(changes, {
    ...accountOf(repay.accounts),
    opens: repay.accounts.isSol,
    wrapped: repay.accounts.isSol ? lamportsToWrap(done, moment) : 0n,
    change: -repay.outcome.effect.moved,
    closes: repay.accounts.isSol && closes && !isSame,
  });
  moveTokens(changes, {
    ...accountOf(withdraw.accounts),
    opens: true,
    wrapped: 0n,
    change: withdraw.outcome.effect.moved,
    closes: withdraw.accounts.isSol && closes,
  });
  return changes.changes;
}

function accountOf({ request, token, reserve, tokenProgram }: LendingAccounts) {
  const key = { owner: request.wallet, mint: reserve.liquidity.mintPubkey, tokenProgram };
  return { account: token.address, key };
}

/** The program refreshes the reserve of the debt after a repayment that leaves some of it. */
function staysFresh({ repay, withdraw }: Combination): boolean {
  const isSame = repay.accounts.request.reserve === withdraw.accounts.request.reserve;
  return !isSame && !repay.outcome.after.position.isZero;
}

/** The reserves that stay refreshed afterwards. */
export function freshAfterBoth(done: Combination): ReadonlySet<Address> {
  const { request } = done.repay.accounts;
  const fresh = new Set(freshAfter(done.withdraw.accounts));
  if (!staysFresh(done)) fresh.delete(request.reserve);
  return fresh;
}
