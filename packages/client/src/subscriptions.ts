import { type Answer, graphqlAnswer } from './answer.ts';
import { Connection } from './connection.ts';
import { SluiceError } from './errors.ts';
import { delayMs, wait } from './retry.ts';
import { type ServerEvent, ServerEventParser } from './server-events.ts';
import { answerOf, badAnswer, open, parsedJson, type TransportOptions } from './transport.ts';

/** Whether events can arrive. `broken`: the stream is opened again by itself; `error` says why it has to be. */
export type StreamState =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  | { readonly status: 'broken'; readonly error: SluiceError };

export interface Subscription {
  readonly query: string;
  readonly variables: unknown;
  readonly signal: AbortSignal | undefined;
  readonly onState: ((state: StreamState) => void) | undefined;
}

/**
 * Opens a stream of server-sent events. When it breaks it is opened again, with backoff and without limit, and starts
 * with the current state. An error that a retry cannot change, such as an unknown key, is thrown.
 */
export async function* subscribe<Data>(
  options: TransportOptions,
  subscription: Subscription,
): AsyncGenerator<Answer<Data>, void, undefined> {
  const { signal, onState } = subscription;
  const requestId = options.requestId();
  let failures = 0;
  while (!signal?.aborted) {
    onState?.({ status: 'connecting' });
    const connection = new Connection(requestId, signal);
    try {
      for await (const answer of eventsOf<Data>(options, subscription, connection)) {
        failures = 0;
        yield answer;
      }
      return;
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof SluiceError && error.retryable)) throw error;
      onState?.({ status: 'broken', error });
      await wait(delayMs(error, failures, options.retry), signal).catch(() => undefined);
      failures += 1;
    } finally {
      connection.close();
    }
  }
}

/** Events of one connection. Returns when the gateway completes the stream, and throws when it breaks. */
async function* eventsOf<Data>(
  options: TransportOptions,
  { query, variables, signal, onState }: Subscription,
  connection: Connection,
): AsyncGenerator<Answer<Data>, void, undefined> {
  const headers = { accept: 'text/event-stream' };
  const request = { path: 'graphql', body: { query, variables }, headers, signal };
  const body = await open(options, request, connection, (response) => bodyOf(response, connection.requestId));
  onState?.({ status: 'open' });
  // The error of the last event. The gateway goes on after one that a retry may solve, unless it completes the stream.
  let failure: SluiceError | null = null;
  for await (const { event, data } of serverEvents(body, options.silenceMs, connection)) {
    if (event === 'complete' && failure !== null) throw failure;
    if (event === 'complete') return;
    const result = resultOf<Data>(data, connection.requestId);
    if (!(result instanceof SluiceError)) {
      if (failure !== null) onState?.({ status: 'open' });
      failure = null;
      yield result;
    } else if (result.retryable) {
      failure = result;
      onState?.({ status: 'broken', error: failure });
    } else throw result;
  }
}

/** Throws the refusal of an answer that is not a stream. */
async function bodyOf(response: Response, requestId: string): Promise<ReadableStream<Uint8Array>> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.ok && isStream && response.body !== null) return response.body;
  const answer = await answerOf(response, requestId);
  graphqlAnswer(answer);
  throw badAnswer(answer);
}

async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  connection: Connection,
): AsyncGenerator<ServerEvent, never, undefined> {
  const reader = body.getReader();
  const parser = new ServerEventParser();
  for (;;) {
    const { done, value } = await connection.within(silenceMs, () => reader.read());
    if (done)
      throw new SluiceError('The gateway closed the stream.', {
        code: 'NETWORK',
        retryable: true,
        requestId: connection.requestId,
      });
    yield* parser.push(value);
  }
}

/** The answer of an event, or its error when it has no data. */
function resultOf<Data>(data: string, requestId: string): Answer<Data> | SluiceError {
  try {
    return graphqlAnswer<Data>({ status: 200, json: parsedJson(data), retryAfter: null, requestId });
  } catch (error) {
    if (error instanceof SluiceError) return error;
    throw error;
  }
}
