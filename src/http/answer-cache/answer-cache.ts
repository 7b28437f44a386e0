import { LRUCache } from 'lru-cache';
import type { RequestTrace } from '../../telemetry/request-trace.ts';
import { EncodedAnswer } from '../encoded-answer.ts';
import { type AnswerNote, cacheableAnswer, emptyNote, type ViewAnswer } from './answer-note.ts';
import { SingleFlight } from './single-flight.ts';

/** Fields of the log line and metrics of a cached answer. */
export type AnswerTrace = Pick<RequestTrace, 'route' | 'operation' | 'outcome' | 'cost' | 'view'>;

/** An answer that can be sent to any number of callers. */
export interface CachedAnswer extends ViewAnswer {
  readonly encoded: EncodedAnswer;
  readonly trace: AnswerTrace;
}

/** Produces an answer for a request that the cache cannot answer. */
export type Produce = (note: AnswerNote, signal: AbortSignal) => Promise<Response>;

/** The answer of the cache, or a response for this caller alone. */
export type Produced =
  | { readonly answer: CachedAnswer; readonly isShared: boolean }
  | { readonly response: Response };

/** A request as the cache knows it. */
export interface CacheRequest {
  /** Equal keys have equal answers on the same View. */
  readonly key: string;
  /** Id of the View that the request reads. */
  readonly view: string;
  /** Trace of the caller; its fields name the answer once it is produced. */
  readonly trace: RequestTrace;
  readonly signal: AbortSignal;
}

/** About a hundred of the largest answers. */
const MAX_BYTES = 32_000_000;
/** Memory of an entry besides its bytes and its key. */
const OVERHEAD_BYTES = 2_000;
const MAX_UNCACHEABLE_CHARACTERS = 1_000_000;

/**
 * Answers of both APIs by View and request. An answer belongs to its View for ever, so nothing is invalidated; entries
 * of Views that are no longer readable are pruned, and the least recently used ones are evicted.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer>;
  /** Requests whose last answer could not be cached: their callers do not wait for each other. */
  readonly #uncacheable = new LRUCache<string, true>({
    maxSize: MAX_UNCACHEABLE_CHARACTERS,
    sizeCalculation: (_, key) => key.length + 1,
  });
  readonly #flights = new SingleFlight<CachedAnswer | null>();

  constructor(maxBytes: number = MAX_BYTES) {
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ encoded }, key) => encoded.byteLength + key.length + OVERHEAD_BYTES,
    });
  }

  /** Bytes held now, including keys and compressed forms. */
  get bytes(): number {
    return this.#answers.calculatedSize;
  }

  find(view: string, key: string): CachedAnswer | undefined {
    return this.#answers.get(entryKey(view, key));
  }

  /**
   * The cached answer, or the one that is being produced for an identical request, or a new one. An answer that turns
   * out not to be cacheable goes to its own caller alone; the others produce theirs.
   */
  async findOrProduce(request: CacheRequest, produce: Produce): Promise<Produced> {
    const { key, view, signal, trace } = request;
    const found = this.find(view, key);
    if (found !== undefined) return { answer: found, isShared: true };
    if (this.#uncacheable.has(key)) return await this.#produceOnce(request, produce, signal);
    const flight = entryKey(view, key);
    const isShared = this.#flights.isRunning(flight);
    let own: Produced | undefined;
    const answer = await this.#flights.run(flight, signal, async (shared) => {
      own = await this.#produceOnce({ key, view, signal, trace }, produce, shared);
      return 'answer' in own ? own.answer : null;
    });
    if (answer !== null) return { answer, isShared };
    return own ?? (await this.#produceOnce(request, produce, signal));
  }

  /** Drops the answers of Views that cannot be read any more. */
  prune(isReadable: (view: string) => boolean): void {
    for (const [key, { view }] of this.#answers.entries()) if (!isReadable(view)) this.#answers.delete(key);
  }

  async #produceOnce({ key, trace }: CacheRequest, produce: Produce, signal: AbortSignal): Promise<Produced> {
    const note = emptyNote();
    const response = await produce(note, signal);
    const made = cacheableAnswer(note, response);
    if (made === null) {
      // An error may be gone the next time; what a request depends on is the same each time.
      if (!note.isFixedByView) this.#uncacheable.set(key, true);
      return { response };
    }
    const { route, operation, outcome, cost, view } = trace;
    const answer: CachedAnswer = {
      ...made,
      encoded: await EncodedAnswer.from(response),
      trace: { route, operation, outcome, cost, view },
    };
    this.#store(entryKey(made.view, key), answer);
    return { answer, isShared: false };
  }

  #store(key: string, answer: CachedAnswer): void {
    this.#answers.set(key, answer);
    answer.encoded.onGrowth = () => {
      if (this.#answers.peek(key) !== answer) return;
      // The cache computes the size of an entry when it is added.
      this.#answers.delete(key);
      this.#answers.set(key, answer);
    };
  }
}

const entryKey = (view: string, key: string) => `${view} ${key}`;
