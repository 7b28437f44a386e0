import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '../../telemetry/request-trace.ts';
import type { Refusal } from '../allowance.ts';
import { headersOf, type RequestGate } from '../pipeline.ts';
import { PLAIN_COST, refusedPlainly } from '../refusals.ts';
import type { Manners } from '../response-headers.ts';
import type { KeptAnswers, View } from './view-answers.ts';

export interface KeptDoorOptions {
  readonly kept: KeptAnswers;
  readonly newestView: () => View | undefined;
  readonly gate: RequestGate;
  readonly manners: Manners;
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
  const { kept, newestView, gate, manners, publicUrl, spelling } = options;
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
    const passage = gate.receive(incoming);
    const { trace, allowance } = passage;
    trace.route = found.route;
    trace.view = view.moment.number;
    const send = (refusal: Refusal) => {
      const { status, headers, body } = refusal === null ? answer : refusedPlainly(url, refusal, trace);
      const own = { ...headers, ...allowance.headers(), [REQUEST_ID_HEADER]: trace.id };
      outgoing.writeHead(status, manners.headers(wish, own));
      outgoing.end(method === 'HEAD' ? null : body);
      gate.leave(passage, status);
    };
    const refusal = allowance.spend(PLAIN_COST);
    if (refusal instanceof Promise) void refusal.then(send);
    else send(refusal);
    return true;
  };
}
