import type { EventCost } from './client-budget.ts';

/**
 * Price of the events of a subscription: their estimate, and for each event what the last ones took beyond it. Otherwise a
 * payer could begin many expensive events with what it has left for one.
 */
export class LearnedPrice implements EventCost {
  readonly check: number;
  readonly of: (events: number) => number;
  readonly #estimate: EventCost;
  /** Units beyond the estimate, for each event. */
  #beyond = 0;

  constructor(estimate: EventCost) {
    this.#estimate = estimate;
    this.check = estimate.check;
    this.of = (events) => estimate.of(events) + Math.ceil(this.#beyond * events);
  }

  /** Notes the units that some events took, with the check that found them. */
  learn(units: number, events: number): void {
    if (events === 0) return;
    const { check, of } = this.#estimate;
    this.#beyond = Math.max(0, units - check - of(events)) / events;
  }
}
