import { WeighedCache } from '../../collections/weighed-cache.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import type { Session } from '../../services/records.ts';
import type { PackedAnswer } from '../encoded-answer.ts';

export type View = Session['view'];

/** An answer and the route that gave it, for metrics. */
export interface KeptAnswer {
  readonly packed: PackedAnswer;
  readonly route: string;
}

/** Some forty of the largest answers. What is kept in all is this times the number of Views that stay readable. */
const MAX_BYTES_PER_VIEW = 16_000_000;
/** What an answer takes beside its bytes and its key. */
const OVERHEAD_BYTES = 2_000;

/** Answers that depend on a View and their question alone, kept as long as the View is. */
export class KeptAnswers {
  readonly #byView = new WeakMap<View, ViewAnswers>();
  readonly #maxBytes: number;

  constructor(maxBytesPerView: number = MAX_BYTES_PER_VIEW) {
    this.#maxBytes = maxBytesPerView;
  }

  of(view: View): ViewAnswers {
    const known = this.#byView.get(view);
    if (known !== undefined) return known;
    const fresh = new ViewAnswers(this.#maxBytes);
    this.#byView.set(view, fresh);
    return fresh;
  }
}

interface Flight {
  readonly answer: Promise<KeptAnswer>;
  readonly stop: AbortController;
  waiting: number;
}

/** The answers of one View; those that were not asked for longest go first when there are too many. */
export class ViewAnswers {
  readonly #kept: WeighedCache<KeptAnswer>;
  readonly #flights = new Map<string, Flight>();

  constructor(maxBytes: number) {
    this.#kept = new WeighedCache(maxBytes);
  }

  /** What is kept now, keys included. */
  get bytes(): number {
    return this.#kept.weight;
  }

  find(key: string): KeptAnswer | undefined {
    return this.#kept.get(key);
  }

  /**
   * The kept answer, or one that is made now; callers that ask for the same at once wait for the same. It is made for all
   * of them: one that goes away does not stop it, the last one does.
   */
  async findOrMake(
    key: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    signal.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, make);
    flight.waiting += 1;
    try {
      return await unlessAborted(flight.answer, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        flight.stop.abort(signal.reason);
      }
    }
  }

  #begin(key: string, make: (signal: AbortSignal) => Promise<KeptAnswer>): Flight {
    const stop = new AbortController();
    const answer = make(stop.signal).then((made) => {
      this.#keep(key, made);
      return made;
    });
    const flight = { answer, stop, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #keep(key: string, answer: KeptAnswer): void {
    const bytes = answer.packed.byteLength + key.length + OVERHEAD_BYTES;
    answer.packed.onGrowth = this.#kept.set(key, answer, bytes);
  }
}
