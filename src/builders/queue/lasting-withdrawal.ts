import type { ObligationCollateral } from '@sluice/protocol/klend/obligation';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Moment } from '../../domain/moment.ts';
import { slotsWithin } from '../../domain/rate-basis.ts';
import { wholeWithdrawal } from '../../domain/refreshed-obligation.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { lendingStart } from '../lending/preview.ts';

/** Seconds of interest that may pass until a transaction lands: signing may take as long as a blockhash lives. */
const MARGIN_SECONDS = 150n;

/**
 * Collateral tokens of a deposit that the debts let an obligation withdraw now, and still once a transaction that is built now
 * has landed: the queue takes an exact amount, so "all" is resolved before. All of the deposit when a price is unknown. Prices
 * may move all the same.
 */
export function lastingWithdrawal(
  accounts: LendingAccounts,
  deposit: ObligationCollateral,
  moment: Moment,
): bigint {
  const later = {
    ...moment,
    slot: moment.slot + slotsWithin(MARGIN_SECONDS, moment),
    timestamp: moment.timestamp + MARGIN_SECONDS,
  };
  return lesser(allowedAt(accounts, deposit, moment), allowedAt(accounts, deposit, later));
}

function allowedAt(accounts: LendingAccounts, held: ObligationCollateral, moment: Moment): bigint {
  const { refreshed } = lendingStart(accounts, moment);
  const deposit = refreshed?.deposits.find(({ reserve }) => reserve === held.depositReserve);
  return refreshed && deposit ? wholeWithdrawal(refreshed, deposit) : held.depositedAmount;
}
