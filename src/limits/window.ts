/** The payer of a request: a unique id and the cost allowed per window. */
export interface Payer {
  readonly id: string;
  readonly limit: number;
}

/** The state of an account after an attempt to spend. */
export interface Decision {
  readonly admitted: boolean;
  readonly remaining: number;
  /** Seconds until the cost could be admitted; 0 when it was. */
  readonly retryAfter: number;
  /** Seconds until the full limit is available again if nothing more is spent. */
  readonly resetAfter: number;
}

export const WINDOW_SECONDS = 60;

/**
 * A sliding window that counts spending per second over the last minute. A second counts until all of it is
 * older than the window, so no window of any position admits more than the limit.
 */
export interface Window {
  /**
   * Takes the cost if it fits, otherwise nothing.
   *
   * @param already what this request has taken before; a refused request needs that again when it is retried
   */
  spend(payer: Payer, cost: number, already?: number): Decision | Promise<Decision>;
  /** Counts a cost even if it exceeds the limit. */
  charge(payer: Payer, cost: number): void;
  /** Cost that this process has counted for the payer in the window. */
  spentBy(payer: Payer): number;
}
