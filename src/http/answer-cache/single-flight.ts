import { unlessAborted } from '../../node/unless-aborted.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Callers that want the same thing at the same time wait for one computation. A caller that leaves does not cancel it;
 * it is aborted when the last one has left.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  isRunning(key: string): boolean {
    return this.#flights.has(key);
  }

  async run(key: string, signal: AbortSignal, compute: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#start(key, compute);
    flight.waiting += 1;
    try {
      return await unlessAborted(flight.result, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        flight.stop.abort(signal.reason);
      }
    }
  }

  #start(key: string, compute: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight = { result: compute(stop.signal), stop, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }
}
