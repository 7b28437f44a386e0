import type { ExecutionResult } from 'graphql';
import { COMPLETE, concatBytes, StreamEvent } from '../../live/event-bytes.ts';
import { resultJson } from './result-json.ts';

const EVENTS = 'text/event-stream';
const HEADERS = {
  'content-type': `${EVENTS}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Disables response buffering in nginx.
  'x-accel-buffering': 'no',
};

export function acceptsEvents({ headers }: Request): boolean {
  const accept = headers.get('accept');
  return accept === null || accept === '' || /text\/event-stream|text\/\*|\*\/\*/i.test(accept);
}

/** Whether a client accepts events but not JSON. */
export function acceptsOnlyEvents({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes(EVENTS) && !accept.includes('json');
}

export function eventStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: HEADERS });
}

/**
 * A single result as a stream of one event, for a client that accepts only events. Null when the HTTP status matters:
 * event-stream clients retry on any status but 200, which would not help an invalid request.
 */
export function finishedStream(result: ExecutionResult): Response | null {
  const statuses = (result.errors ?? []).map(({ extensions }) => (extensions.http as Http)?.status ?? 400);
  if (statuses.some((status) => status !== 400)) return null;
  const event = new StreamEvent({ json: resultJson(result), extensions: {} }, null);
  const body = concatBytes([event.bytes, COMPLETE]);
  return new Response(body as BodyInit, { headers: HEADERS });
}

type Http = { readonly status?: number } | undefined;
