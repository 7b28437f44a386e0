import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '../../telemetry/request-trace.ts';
import type { Refusal } from '../allowance.ts';
import { preferredCoding } from '../content-coding.ts';
import { headersOf, type RequestGate } from '../pipeline.ts';
import { PLAIN_COST, refusedPlainly } from '../refusals.ts';
import type { Manners } from '../response-headers.ts';
import type { HotAnswer } from './hot-answer.ts';
import type { HotQuestions } from './hot-questions.ts';

export interface GraphDoorOptions {
  readonly path: string;
  readonly questions: HotQuestions;
  /** Number of the newest View; undefined before there is one. */
  readonly newestView: () => number | undefined;
  readonly gate: RequestGate;
  readonly manners: Manners;
  readonly publicUrl: string | null;
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;
/** Takes a request from its socket, and hands it on when it has to go the usual way; false for one that it does not take. */
export type GraphDoor = (incoming: IncomingMessage, outgoing: ServerResponse, usualWay: Listener) => boolean;

/** A longer question is hardly one that many ask. */
const MAX_BODY_BYTES = 32_000;
const JSON_BODY = /^application\/json\s*(?:;|$)/i;
/** They name a state, or a form of the body that has to be read first. */
const UNUSUAL = ['x-view', 'x-min-slot', 'content-encoding', 'transfer-encoding', 'expect'] as const;

/**
 * Answers from the socket what was asked in the same words on the newest View: nothing is parsed, checked or executed,
 * but it is paid for as when it was. A body that is read here is handed on, not read again.
 */
export function graphDoor(options: GraphDoorOptions): GraphDoor {
  const { path, questions, newestView, publicUrl } = options;
  return (incoming, outgoing, usualWay) => {
    if (incoming.url !== path || incoming.method !== 'POST' || !isUsual(incoming)) return false;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      const { accept = '', host = '' } = incoming.headers;
      const question = `${publicUrl ?? host}\n${accept}\n${body.toString('latin1')}`;
      const view = newestView();
      const found = view === undefined ? undefined : questions.answers.find(view, question);
      if (found !== undefined) {
        answerHot(found, options, incoming, outgoing);
        return;
      }
      questions.ask(incoming, question);
      // The usual way looks for a body that was read before it in this place.
      usualWay(Object.assign(incoming, { rawBody: body }), outgoing);
    });
    return true;
  };
}

function isUsual({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= MAX_BODY_BYTES &&
    JSON_BODY.test(headers['content-type'] ?? '') &&
    UNUSUAL.every((name) => headers[name] === undefined)
  );
}

function answerHot(
  found: HotAnswer,
  { path, gate, manners }: GraphDoorOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const passage = gate.receive(incoming);
  const { trace, allowance } = passage;
  trace.route = path;
  const finish = (status: number, head: string[], parts: readonly Uint8Array[]) => {
    head.push(REQUEST_ID_HEADER, trace.id);
    const ofCaller = allowance.headers();
    for (const name in ofCaller) head.push(name, ofCaller[name] ?? '');
    outgoing.writeHead(status, head);
    // Head and body leave in one write.
    outgoing.cork();
    const [first, last] = parts;
    if (last !== undefined) outgoing.write(first);
    outgoing.end(last ?? first);
    gate.leave(passage, status);
  };
  const send = (refusal: Refusal): void => {
    const wish = { method: 'POST', headers: headersOf(incoming) };
    if (refusal !== null) {
      const { status, headers, body } = refusedPlainly(path, refusal, trace);
      finish(status, listed(manners.headers(wish, headers)), body === null ? [] : [body]);
      return;
    }
    const { origin, 'accept-encoding': codings } = incoming.headers;
    const coding = codings === undefined ? 'identity' : preferredCoding(String(codings), found.byteLength);
    const parts = found.parts(coding, Date.now());
    if (parts === undefined) {
      if (coding !== 'identity') void found.make(coding).then(() => send(null));
      return;
    }
    trace.operation = found.asked.operation;
    trace.cost = found.asked.cost;
    trace.outcome = 'ok';
    trace.view = found.made.view;
    const makeHead = () => listed(manners.headers(wish, headersFor(found, coding)));
    // Pages of other origins may get another one.
    const head = origin === undefined ? found.head(coding, makeHead).slice() : makeHead();
    head.push('content-length', String(parts[0].byteLength + parts[1].byteLength));
    finish(200, head, parts);
  };
  const refusal = allowance.spend(PLAIN_COST + found.made.units);
  if (refusal instanceof Promise) void refusal.then(send);
  else send(refusal);
}

/** Names and values in turn, as a socket is given them. */
function listed(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flat();
}

function headersFor({ contentType }: HotAnswer, coding: string): Record<string, string> {
  return {
    'content-type': contentType,
    vary: 'Accept-Encoding',
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
  };
}
