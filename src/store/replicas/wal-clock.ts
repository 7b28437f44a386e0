interface Mark {
  readonly lsn: bigint;
  /** Last time at which a measurement that returned this position was sent; all earlier commits are at or before it. */
  untilMs: number;
}

/**
 * Positions of the primary's write-ahead log over time. The lag of a replica in time is read from them, because the time of the
 * last replayed transaction says nothing while the primary is idle.
 */
export class WalClock {
  readonly #keptMs: number;
  readonly #marks: Mark[] = [];

  /** @param keptMs the longest lag that has to be told from a longer one */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** @param sentMs when the measurement was sent, by the clock that lags are compared with */
  note(sentMs: number, lsn: bigint): void {
    const last = this.#marks.at(-1);
    // A primary that was restored from a backup: earlier positions belong to another history.
    if (last !== undefined && lsn < last.lsn) this.#marks.length = 0;
    if (last?.lsn === lsn) last.untilMs = sentMs;
    else this.#marks.push({ lsn, untilMs: sentMs });
    const expired = this.#marks.findIndex(({ untilMs }) => untilMs >= sentMs - this.#keptMs);
    if (expired > 0) this.#marks.splice(0, expired);
  }

  /** The time whose commits a server that has replayed up to `lsn` all has; null when that is too long ago to know. */
  replayedUntil(lsn: bigint): number | null {
    return this.#marks.findLast((mark) => mark.lsn <= lsn)?.untilMs ?? null;
  }
}
