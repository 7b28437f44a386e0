import { asResponse, EncodedAnswer } from '../encoded-answer.ts';
import type { Exchange } from '../exchange.ts';
import type { AnswerCache, CachedAnswer, Produce } from './answer-cache.ts';
import { emptyNote } from './answer-note.ts';
import { type ReadableViews, requestedView } from './requested-view.ts';

const ENCODED = /^(?:application\/(?:graphql-response\+)?json|image\/svg\+xml)\b/;

/** Answers the requests of an API: from the cache where possible, in the form that the caller prefers. */
export class Responder {
  readonly cache: AnswerCache;
  readonly #views: ReadableViews;

  constructor(cache: AnswerCache, views: ReadableViews) {
    this.cache = cache;
    this.#views = views;
  }

  /**
   * @param key equal for requests with equal answers; null for a request whose answer is never cached
   * @param continues id of the View that the request reads while it is retained, if its headers name no other one
   * @throws the refusal, if the caller's allowance does not cover a shared answer
   */
  async respond(
    request: Request,
    exchange: Exchange,
    key: string | null,
    produce: Produce,
    continues?: string,
  ): Promise<Response> {
    const { signal } = request;
    const view = key === null ? null : requestedView(request.headers, this.#views, continues);
    if (key === null || view === null) return await encoded(request, await produce(emptyNote(), signal));
    const { trace } = exchange;
    const produced = await this.cache.findOrProduce({ key, view, trace, signal }, produce);
    if ('response' in produced) return await encoded(request, produced.response);
    const { answer, isShared } = produced;
    if (isShared) await accept(answer, exchange);
    return asResponse(await answer.encoded.answer(request));
  }
}

/** Pays for an answer that was produced for another caller, and takes over how it is logged. */
async function accept({ units, trace }: CachedAnswer, exchange: Exchange): Promise<void> {
  const refusal = await exchange.allowance.spend(units);
  if (refusal !== null) throw refusal;
  Object.assign(exchange.trace, trace);
}

/** A complete document is compressed and tagged; streams and empty bodies are passed through. */
async function encoded(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response;
  if (response.body === null || !ENCODED.test(headers.get('content-type') ?? '')) return response;
  const answer = await (await EncodedAnswer.from(response)).answer(request);
  return asResponse(answer.status === 200 ? { ...answer, status } : answer);
}
