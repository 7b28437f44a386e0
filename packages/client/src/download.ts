import { Connection } from './connection.ts';
import type { ErrorCode } from './error-codes.ts';
import { SluiceError } from './errors.ts';
import { withRetries } from './retry.ts';
import { answerOf, badAnswer, keyHeaders, type TransportOptions, urlOf } from './transport.ts';

/** The text of a file as it arrives. Only its beginning is retried: what follows would be repeated. */
export async function* download(
  options: TransportOptions,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  const requestId = options.requestId();
  const { connection, body } = await withRetries(
    () => begin(options, path, headers, new Connection(requestId, signal)),
    options.retry,
    signal,
  );
  try {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await connection.within(options.silenceMs, () => reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    connection.close();
  }
}

async function begin(
  { url, key, fetch, timeoutMs }: TransportOptions,
  path: string,
  headers: Readonly<Record<string, string>>,
  connection: Connection,
) {
  const { requestId, signal } = connection;
  const init = { headers: { 'x-request-id': requestId, ...(await keyHeaders(key)), ...headers }, signal };
  const response = await connection.within(timeoutMs, () => fetch(urlOf(url, path), init));
  if (response.status === 200 && response.body !== null) return { connection, body: response.body };
  const answer = await connection.within(timeoutMs, () => answerOf(response, requestId));
  const { json, status, retryAfter } = answer;
  const message = typeof json === 'object' && json !== null && 'error' in json ? json.error : null;
  if (typeof message !== 'string') throw badAnswer(answer);
  throw new SluiceError(message, {
    code: (response.headers.get('x-error-code') ?? 'BAD_ANSWER') as ErrorCode,
    // The gateway sends the header with errors that a retry may solve.
    retryable: retryAfter !== null,
    context: { status, ...(retryAfter === null ? {} : { retryAfter }) },
    requestId: answer.requestId,
  });
}
