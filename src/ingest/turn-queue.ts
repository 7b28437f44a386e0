import { abandonOn } from '../node/abandon-on.ts';
import { FairQueue } from './fair-queue.ts';
import type { Reader } from './reader.ts';

/** Promises of a turn, granted fairly. A reader that gives up leaves the queue at once. */
export class TurnQueue {
  readonly #waiting = new FairQueue<() => void>();

  get isEmpty(): boolean {
    return this.#waiting.isEmpty;
  }

  /** Resolves when the turn is granted. Rejects with the signal's reason when it is aborted. */
  wait(reader: Reader, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const withdraw = this.#waiting.add(reader, () => {
        unlink();
        resolve();
      });
      const unlink = abandonOn(signal, (reason) => {
        withdraw();
        reject(reason);
      });
    });
  }

  /** Grants the next turn to a reader that may proceed. Returns that reader; null when nobody can have it. */
  grant(mayProceed?: (reader: Reader) => boolean): Reader | null {
    const next = this.#waiting.take(mayProceed);
    next?.item();
    return next?.reader ?? null;
  }
}
