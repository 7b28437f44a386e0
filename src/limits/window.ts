/** A client of a limit: its name, unique among all, and what it may spend in a window. */
export interface Payer {
  readonly id: string;
  readonly limit: number;
}

/** How an account stands after an attempt to spend. */
export interface Decision {
  readonly admitted: boolean;
  readonly remaining: number;
  /** In how many seconds the cost could be taken; 0 when it was. */
  readonly retryAfter: number;
  /** In how many seconds everything is there again if nothing more is spent. */
  readonly resetAfter: number;
}

export const WINDOW_SECONDS = 60;

/**
 * Counts what was spent in the last minute, second by second. A second counts until nothing in it can be less than a
 * window old: in no window of any position more than the limit is admitted.
 */
export interface Window {
  /**
   * Takes the cost if it fits, otherwise nothing.
   *
   * @param already what this request has taken before: a refused one needs it again when it comes back
   */
  spend(payer: Payer, cost: number, already?: number): Decision | Promise<Decision>;
  /** Counts a cost whatever is left. */
  charge(payer: Payer, cost: number): void;
}
