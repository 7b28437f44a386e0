import type { ClientBudget, EventCost } from './client-budget.ts';

/** Payments of one client in one channel. All its subscribers there share the events that it pays for. */
export class Account<S> {
  readonly payer: ClientBudget;
  readonly subscribers = new Set<S>();
  /** Number of the View up to which events are paid; null until the first snapshot, which is paid when a stream opens. */
  paidView: number | null = null;
  /** Units paid for events that have not happened yet. */
  #credit = 0;
  /** Cost of the last events, once the payer has lacked the units for some: the next ones are saved up for. */
  #lastCost = 0;

  constructor(payer: ClientBudget) {
    this.payer = payer;
  }

  /**
   * Pays for looking for changes. Where that costs something, the event that it may find is paid too: otherwise a payer
   * with little left would spend all of it on finding events that it cannot pay for.
   */
  async payForCheck({ check, of }: EventCost): Promise<boolean> {
    if (check === 0) return true;
    const credit = Math.max(this.#credit, this.#lastCost, of(1));
    if (!(await this.payer.spend(check + credit - this.#credit))) return false;
    this.#credit = credit;
    return true;
  }

  async payForEvents({ of }: EventCost, events: number): Promise<boolean> {
    if (events === 0) return true;
    const cost = of(events);
    const due = Math.max(0, cost - this.#credit);
    if (due > 0 && !(await this.payer.spend(due))) {
      this.#lastCost = cost;
      return false;
    }
    this.#credit = Math.max(0, this.#credit - cost);
    if (this.#lastCost > 0) this.#lastCost = cost;
    return true;
  }
}
