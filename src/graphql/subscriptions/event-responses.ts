import type { ExecutionResult } from 'graphql';
import { COMPLETE, joined, nextEvent } from '../../live/event-bytes.ts';
import { resultJson } from './result-json.ts';

const EVENTS = 'text/event-stream';
const HEADERS = {
  'content-type': `${EVENTS}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // A proxy that waits for more before it passes something on would hold events back.
  'x-accel-buffering': 'no',
};

export function acceptsEvents({ headers }: Request): boolean {
  const accept = headers.get('accept');
  return accept === null || accept === '' || /text\/event-stream|text\/\*|\*\/\*/i.test(accept);
}

/** Whether a client takes events and no plain answer. */
export function wantsEventsAlone({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes(EVENTS) && !accept.includes('json');
}

export function eventStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: HEADERS });
}

/**
 * A plain answer for a client that takes events alone: one event and the end. Null when its status matters: clients of
 * events take any but 200 for a reason to try again, which what was wrong with the question itself is not.
 */
export function finishedStream(result: ExecutionResult): Response | null {
  const statuses = (result.errors ?? []).map(({ extensions }) => (extensions.http as Http)?.status ?? 400);
  if (statuses.some((status) => status !== 400)) return null;
  const body = joined([nextEvent(resultJson(result), null), COMPLETE]);
  return new Response(body as BodyInit, { headers: HEADERS });
}

type Http = { readonly status?: number } | undefined;
