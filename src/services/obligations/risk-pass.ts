import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { Loan } from '../../domain/risk/loan.ts';
import { type LoanOutcome, loanOutcomes, type UnvaluedReason } from '../../domain/risk/loan-outcome.ts';
import type { PriceShocks } from '../../domain/risk/price-shock.ts';
import { presentTerms, type RiskTerms, riskTerms } from '../../domain/risk/risk-terms.ts';
import type { Work } from '../../node/work-budget.ts';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { MarketRecord } from '../request/records.ts';
import { Valuation } from '../tokens/valuation.ts';

/** Outcomes of loans, each in one scenario, that are a step of work. */
const OUTCOMES_PER_STEP = 32;

/** Terms of a market's loans at the slot and prices of a View, now and under each of the shocks. */
export function riskTermsOf(
  work: Work,
  view: View,
  market: MarketRecord,
  reserves: readonly Address[],
  shocks: readonly PriceShocks[],
): Promise<RiskTerms> {
  const priced = (address: Address) => Valuation.of(view).priced(address);
  return work.run(riskTerms(market.value, reserves, priced, view.moment.timestamp, shocks));
}

/** The terms of a few reserves at the slot and prices of a View. */
export const presentTermsOf = (view: View, market: MarketRecord, reserves: readonly Address[]): RiskTerms =>
  presentTerms(
    market.value,
    reserves,
    (address) => Valuation.of(view).priced(address),
    view.moment.timestamp,
  );

/**
 * Goes through all loans of a market once, in turns of a few milliseconds. Each loan comes with its outcome in every
 * scenario: now, then under each of the shocks.
 */
export async function forEachObligation(
  work: Work,
  { table }: Pick<ObligationSnapshot, 'table'>,
  terms: RiskTerms,
  take: (number: number, loan: Loan, outcomes: readonly (LoanOutcome | UnvaluedReason)[]) => void,
): Promise<void> {
  const loansAtOnce = Math.max(1, Math.floor(OUTCOMES_PER_STEP / terms.scenarios));
  const steps = Math.ceil((loansAtOnce * terms.scenarios) / OUTCOMES_PER_STEP);
  for (let number = 0; number < table.size; number += 1) {
    if (number % loansAtOnce === 0) {
      const pause = work.step(steps);
      if (pause !== null) await pause;
    }
    const loan = table.loan(number);
    take(number, loan, loanOutcomes(loan, terms));
  }
}
