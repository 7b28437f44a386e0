import type { Moment } from '../../domain/moment.ts';
import type { RefreshedObligation, WithdrawalLimit } from '../../domain/refreshed-obligation.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import type { Amount } from '../amount.ts';
import type { LendingAccounts, LendingState } from './accounts.ts';
import { type LendingOutcome, lendingOutcome } from './preview.ts';

/** A half of an instruction of two lending actions, on the accounts that it meets, and its result. */
export interface CombinedHalf<A extends LendingState = LendingAccounts> {
  readonly accounts: A;
  readonly outcome: LendingOutcome;
}

/** A withdrawal on the accounts that the first half leaves, even if the program would reject it. */
export function withdrawalAfter<A extends LendingState>(
  first: CombinedHalf<A>,
  withdraw: A,
  amount: Amount,
  moment: Moment,
  limit: WithdrawalLimit,
): CombinedHalf<A> {
  const { obligation, reserve } = first.outcome.effect;
  const reserves = new Map(withdraw.reserves).set(first.accounts.request.reserve, reserve);
  const left: A = {
    ...withdraw,
    obligation,
    reserves,
    oracles: new Map([...withdraw.oracles, ...first.accounts.oracles]),
    reserve: reserves.get(withdraw.request.reserve) ?? withdraw.reserve,
    withdrawalLimit: limit,
  };
  return { accounts: left, outcome: lendingOutcome(left, amount, moment) };
}

/** The obligation after a withdrawal, as a refresh stores it. */
export function leftBy({ accounts, outcome }: CombinedHalf<LendingState>): RefreshedObligation | null {
  return refreshedObligation(outcome.effect.obligation, accounts.market, outcome.after.reserves);
}
