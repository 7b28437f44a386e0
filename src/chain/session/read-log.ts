import type { Clock } from '@sluice/protocol/sysvar/clock';
import type { Moment } from '../../domain/moment.ts';
import type { WorkBudget } from '../../node/work-budget.ts';
import type { ViewMoment } from '../view/view.ts';

/** The View that an answer is based on, and the range of slots of its live reads. */
export interface ChainReport {
  /** Id of the View. */
  readonly view: string;
  /** The View's slot, at which everything in it is evaluated. */
  readonly slot: string;
  /** Lowest and highest slot of the live reads; the View's slot when there were none. */
  readonly slotMin: string;
  readonly slotMax: string;
  /** Reading many accounts is not atomic. NOT_DETECTED does not prove that all accounts are from one slot. */
  readonly tearing: 'DETECTED' | 'NOT_DETECTED';
  readonly rpcRequests: number;
  readonly accountsRead: number;
  /** When the View was built, in ISO 8601. */
  readonly builtAt: string;
}

/** The answer of a call that read accounts, or of another that has a slot. */
interface Page {
  readonly slot: bigint;
  readonly torn?: boolean;
}

/** Live reads of one session: drawn from the account of its request, and reported with its answer. */
export class ReadLog {
  readonly #moment: ViewMoment;
  readonly #work: WorkBudget;
  readonly #pages = new Set<Page>();
  #accountsRead = 0;
  #otherCalls = 0;
  /** The newest of all pages. */
  #clock: Clock | null = null;

  /** @param moment that of the View of the session */
  constructor(moment: ViewMoment, work: WorkBudget) {
    this.#moment = moment;
    this.#work = work;
  }

  /** Calls whose answers were used. Sessions that share a page count it each. */
  get calls(): number {
    return this.#pages.size + this.#otherCalls;
  }

  /** The View's moment, or the clock of the newest accounts that were read after it. */
  get newestMoment(): Moment {
    if (this.#clock === null || this.#clock.slot <= this.#moment.slot) return this.#moment;
    return { ...this.#moment, slot: this.#clock.slot, timestamp: this.#clock.unixTimestamp };
  }

  /** Notes an answer and the accounts that it brought. One that several reads share is one call. */
  notePage(page: Page & { readonly clock?: Clock }, accounts: number): void {
    const { clock } = page;
    if (clock !== undefined && (this.#clock === null || clock.slot > this.#clock.slot)) this.#clock = clock;
    if (!this.#pages.has(page)) {
      this.#pages.add(page);
      this.#work.record('calls', 1);
    }
    this.#accountsRead += accounts;
    this.#work.record('accounts', accounts);
  }

  /** Notes calls that read no accounts. */
  noteCalls(calls: number): void {
    this.#otherCalls += calls;
    this.#work.record('calls', calls);
  }

  report(): ChainReport {
    const moment = this.#moment;
    let [low, high] = [moment.slot, moment.slot];
    let torn = moment.torn;
    let first = true;
    for (const page of this.#pages) {
      low = first || page.slot < low ? page.slot : low;
      high = first || page.slot > high ? page.slot : high;
      torn ||= page.torn ?? false;
      first = false;
    }
    return {
      view: moment.id,
      slot: String(moment.slot),
      slotMin: String(low),
      slotMax: String(high),
      tearing: torn ? 'DETECTED' : 'NOT_DETECTED',
      rpcRequests: this.calls,
      accountsRead: this.#accountsRead,
      builtAt: new Date(moment.builtAtMs).toISOString(),
    };
  }
}
