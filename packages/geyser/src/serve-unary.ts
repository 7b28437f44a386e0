import { GeyserError, GrpcStatus } from './errors.ts';
import {
  GET_SLOT,
  GET_VERSION,
  LATEST_BLOCKHASH,
  PING,
  REPLAY_INFO,
  type UnaryMethod,
} from './messages/unary.ts';
import { CommitmentLevel } from './messages.ts';
import type { GeyserHandlers } from './server.ts';
import type { ServerCall } from './server-call.ts';
import type { Decoded, Fields, Input } from './wire/fields.ts';

type Answer = (handlers: Omit<GeyserHandlers, 'subscribe'>, request: Uint8Array) => Uint8Array;

function method<Q extends Fields, A extends Fields>(
  { request, answer }: UnaryMethod<Q, A>,
  handle: (handlers: Omit<GeyserHandlers, 'subscribe'>, request: Decoded<Q>) => Input<A>,
): Answer {
  return (handlers, bytes) => answer.encode(handle(handlers, request.decode(bytes)));
}

const levelOf = ({ commitment }: { readonly commitment: number | null }) =>
  commitment ?? CommitmentLevel.PROCESSED;

const METHODS: ReadonlyMap<string, Answer> = new Map([
  [REPLAY_INFO.path, method(REPLAY_INFO, (handlers) => handlers.replayInfo())],
  [PING.path, method(PING, (_, { count }) => ({ count: count + 1 }))],
  [GET_SLOT.path, method(GET_SLOT, (handlers, request) => ({ slot: handlers.slot(levelOf(request)) }))],
  [
    LATEST_BLOCKHASH.path,
    method(LATEST_BLOCKHASH, (handlers, request) => handlers.latestBlockhash(levelOf(request))),
  ],
  [GET_VERSION.path, method(GET_VERSION, (handlers) => ({ version: handlers.version() }))],
]);

/** Answers a call with one request and one answer. */
export function serveUnary(call: ServerCall, path: string, handlers: GeyserHandlers): void {
  const answer = METHODS.get(path);
  if (answer === undefined) throw new GeyserError(GrpcStatus.UNIMPLEMENTED, `no method ${path}`);
  const requests: Uint8Array[] = [];
  call.receive(
    (message) => {
      requests.push(message);
      if (requests.length > 1) throw new GeyserError(GrpcStatus.INTERNAL, 'more than one request');
    },
    () => {
      const [request] = requests;
      if (request === undefined) throw new GeyserError(GrpcStatus.INTERNAL, 'no request');
      call.send(answer(handlers, request));
      call.end();
    },
  );
}
