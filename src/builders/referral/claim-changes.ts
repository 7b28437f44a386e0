import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { storedPriceOf } from '../lending/changes.ts';
import { refreshedAccount } from '../lending/effects.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { FeeClaimAccounts, ReserveFees } from './claim-accounts.ts';
import { paidFees } from './claim-fees.ts';

/** The accounts after a claim: the wallet's tokens, what is still owed to it, and the reserves. */
export function feeClaimChanges(
  accounts: FeeClaimAccounts,
  built: BuiltAction,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { wallet } = accounts.request;
  const changes = new ChangedAccounts(read, accounts.payer);
  const paid = paidFees(accounts, moment);
  for (const each of paid) {
    const { token, tokenProgram, reserve, claimable } = each;
    moveTokens(changes, {
      account: token.address,
      key: { owner: wallet, mint: reserve.liquidity.mintPubkey, tokenProgram },
      opens: true,
      wrapped: 0n,
      change: claimable,
      closes: false,
    });
    changeReserve(changes, each, moment);
  }
  const sol = paid.find(({ isSol }) => isSol)?.token;
  if (sol !== undefined && built.wrappedSol === 'closed') changes.close(sol.address, wallet);
  return changes.changes;
}

function changeReserve(changes: ChangedAccounts, fees: ReserveFees, moment: Moment): void {
  const { reserveAddress, reserve, accrued, stateAddress, state, claimable } = fees;
  const { lastUpdate, liquidity, collateral } = refreshedAccount(accrued, { available: -claimable });
  const price = storedPriceOf(fees, moment.timestamp);
  changes.patch(reserveAddress, reserveLayout, {
    lastUpdate: { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 1, ...price?.lastUpdate },
    liquidity: {
      ...liquidity,
      ...price?.liquidity,
      accumulatedReferrerFeesSf: atLeastZero(
        reserve.liquidity.accumulatedReferrerFeesSf - wholeScaled(claimable),
      ),
    },
    collateral,
  });
  changes.patch(stateAddress, referrerTokenState, {
    amountUnclaimedSf: atLeastZero((state?.amountUnclaimedSf ?? 0n) - wholeScaled(claimable)),
  });
}
