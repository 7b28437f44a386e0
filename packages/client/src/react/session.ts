import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Action } from '../actions/documents.ts';
import type { Answer } from '../answer.ts';
import type { RequestOptions, SluiceClient } from '../client.ts';
import { type Document, documentText } from '../document.ts';
import { type Live, LiveStream } from './live-stream.ts';
import { LiveValues, slotOf } from './live-values.ts';
import { mergeById, type Updates } from './merge-by-id.ts';

const ROOT = 'sluice';

/** A cached answer, or the answers of a list that is read page by page. */
type Cached = Answer<unknown> | InfiniteData<Answer<unknown>>;

/** The client and the cache of a page. */
export class Session {
  readonly cache: QueryClient;
  readonly #live = new LiveValues();
  readonly #streams = new Map<string, LiveStream<unknown>>();
  #client: SluiceClient;
  /** Every answer includes this slot. */
  #minSlot = 0n;

  constructor(client: SluiceClient, cache: QueryClient) {
    this.#client = client;
    this.cache = cache;
  }

  get client(): SluiceClient {
    return this.#client;
  }

  keyOf<Data, Variables>(document: Document<Data, Variables>, variables: unknown): QueryKey {
    return [...this.#answers, documentText(document), variables ?? {}];
  }

  previewKey(action: Action | null): QueryKey {
    return [ROOT, this.#client.url, 'preview', action];
  }

  get #answers(): QueryKey {
    return [ROOT, this.#client.url, 'answer'];
  }

  /** Reads an answer, with newer values of streams in it. */
  async read<Data, Variables>(
    document: Document<Data, Variables>,
    variables: NoInfer<Variables>,
    options: RequestOptions,
  ): Promise<Answer<Data>> {
    const answer = await this.#client.query(document, variables, options);
    const slot = slotOf(answer);
    if (slot === null) return answer;
    // Where the shape of a value is unknown, the answer stays as it was read: the next View is at most seconds away.
    return { ...answer, data: mergeById(answer.data, this.#live.since(slot)).data };
  }

  /**
   * Writes the objects of an event into every cached answer that shows them, found by their global `id`. Answers that are
   * newer than the event keep their values. Answers that the event shows to be outdated, but cannot bring up to date, are
   * read again.
   */
  merge(event: Answer<unknown>): void {
    const updates = this.#live.record(event);
    const slot = slotOf(event);
    for (const query of this.cache.getQueryCache().findAll({ queryKey: this.#answers }))
      this.#mergeInto(query as Query<Cached>, updates, slot);
  }

  #mergeInto(query: Query<Cached>, updates: Updates, slot: bigint | null): void {
    const cached = query.state.data;
    if (cached === undefined) return;
    let complete = true;
    const merge = (answer: Answer<unknown>): Answer<unknown> => {
      if (slot !== null && slot < (slotOf(answer) ?? 0n)) return answer;
      const merged = mergeById(answer.data, updates);
      complete &&= merged.complete;
      return merged.data === answer.data ? answer : { ...answer, data: merged.data };
    };
    if ('pages' in cached) {
      const pages = cached.pages.map(merge);
      if (pages.some((page, index) => page !== cached.pages[index]))
        query.setState({ data: { ...cached, pages } });
    } else {
      const data = merge(cached);
      // Not `setQueryData`: that would mark the answer as just read, and without an error.
      if (data !== cached) query.setState({ data });
    }
    if (!complete)
      void this.cache.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
  }

  /** Follows a subscription. Listeners of the same document and variables share one stream. Returns how to stop. */
  follow<Data, Variables>(
    document: Document<Data, Variables>,
    variables: NoInfer<Variables>,
    listener: (live: Live<Data>) => void,
  ): () => void {
    const key = JSON.stringify(this.keyOf(document, variables));
    const open = this.#streams.get(key) as LiveStream<Data> | undefined;
    const stream =
      open ??
      new LiveStream<Data>(
        (signal, onState) => this.#client.subscribe(document, variables, { signal, onState }),
        {
          onEvent: (event) => this.merge(event),
          onClose: (closed) => {
            if (this.#streams.get(key) === closed) this.#streams.delete(key);
          },
        },
      );
    this.#streams.set(key, stream as LiveStream<unknown>);
    return stream.listen(listener);
  }

  /** Reads everything on the page again, from a View that includes this slot. */
  async refreshAfter(slot: string): Promise<void> {
    if (BigInt(slot) > this.#minSlot) {
      this.#minSlot = BigInt(slot);
      this.#client = this.#client.after(slot);
    }
    await this.cache.invalidateQueries({ queryKey: [ROOT, this.#client.url] });
  }
}
