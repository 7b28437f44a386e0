import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestGate } from '../telemetry/observe-requests.ts';
import { REQUEST_ID_HEADER } from '../telemetry/request-trace.ts';
import type { Cors } from './cors.ts';
import type { KeptAnswers, View } from './kept-answers.ts';

export interface KeptDoorOptions {
  readonly kept: KeptAnswers;
  readonly newestView: () => View | undefined;
  readonly gate: RequestGate;
  readonly cors: Cors;
  readonly publicUrl: string | null;
  /** Paths as the route table writes them. */
  readonly spelling: (target: string) => string;
}

/** Answers from a socket what can be answered at once; false when the request has to go the usual way. */
export type KeptDoor = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Most requests ask what has just been asked. Their bytes are kept with the newest View and go straight to the socket,
 * the same that the usual way would send.
 */
export function keptDoor(options: KeptDoorOptions): KeptDoor {
  const { kept, newestView, gate, cors, publicUrl, spelling } = options;
  return (incoming, outgoing) => {
    const { method = '', url = '', headers: given } = incoming;
    if (method !== 'GET' && method !== 'HEAD') return false;
    // They name a state; the usual way finds it, and what is kept with it.
    if (given['x-view'] !== undefined || given['x-min-slot'] !== undefined) return false;
    const view = newestView();
    if (view === undefined) return false;
    const found = kept.of(view).find(`${publicUrl ?? `http://${given.host}`}${spelling(url)}`);
    if (found === undefined) return false;
    const wish = { method, headers: headersOf(incoming) };
    const answer = found.packed.ready(wish);
    if (answer === undefined) return false;
    const passage = gate.enter(method, url, wish.headers);
    const { trace } = passage;
    trace.route = found.route;
    trace.view = view.moment.number;
    const headers: Record<string, string> = {
      ...answer.headers,
      ...cors.headers(wish),
      [REQUEST_ID_HEADER]: trace.id,
    };
    if (cors.vary !== null) headers.vary = `${headers.vary}, ${cors.vary}`;
    outgoing.writeHead(answer.status, headers);
    outgoing.end(answer.body);
    gate.leave(passage, answer.status);
    return true;
  };
}

/** As `Headers` reads them: what may come only once is a text. */
function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
  };
}
