import type { Address } from '@solana/kit';
import { cancellationError } from '../../chain/rpc/transport/cancellation.ts';
import type { View } from '../../chain/view/view.ts';
import type { Loan } from '../../domain/risk/loan.ts';
import { type LoanOutcome, loanOutcomes, type UnvaluedReason } from '../../domain/risk/loan-outcome.ts';
import type { PriceShocks } from '../../domain/risk/price-shock.ts';
import { type RiskTerms, riskTerms } from '../../domain/risk/risk-terms.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { MarketRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { Valuation } from '../tokens/valuation.ts';

/** Loans between two checks of the time. */
const LOANS_PER_STEP = 32;

/** Terms of a market's loans at the slot and prices of a View, now and under each of the shocks. */
export function riskTermsOf(
  view: View,
  market: MarketRecord,
  reserves: readonly Address[],
  shocks: readonly PriceShocks[],
): RiskTerms {
  const priced = (address: Address) => Valuation.of(view).priced(address);
  return riskTerms(market.value, reserves, priced, shocks);
}

/**
 * Goes through all loans of a market once, in turns of a few milliseconds. Each loan comes with its outcome in every
 * scenario: now, then under each of the shocks.
 */
export async function forEachObligation(
  { signal, caller }: Pick<Session, 'signal' | 'caller'>,
  { table }: Pick<ObligationSnapshot, 'table'>,
  terms: RiskTerms,
  take: (number: number, loan: Loan, outcomes: readonly (LoanOutcome | UnvaluedReason)[]) => void,
): Promise<void> {
  for (let number = 0; number < table.size; number += 1) {
    if (number % LOANS_PER_STEP === 0) {
      const pause = scheduler.pause(caller);
      if (pause !== null) await pause;
      if (signal.aborted) throw cancellationError(signal, 'Going through the loans of a market');
    }
    const loan = table.loan(number);
    take(number, loan, loanOutcomes(loan, terms));
  }
}
