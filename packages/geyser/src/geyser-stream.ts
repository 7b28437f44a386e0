import type { GrpcCall } from './grpc-call.ts';
import {
  SUBSCRIBE_REQUEST,
  SUBSCRIBE_UPDATE,
  type SubscribeRequest,
  type SubscribeUpdate,
} from './messages.ts';

/** Id of pings that only show proxies that the client lives. */
const KEEP_ALIVE_PING = 0;

/** A subscription. Iterate it once; it ends with an error unless the server or `return()` ends it. */
export class GeyserStream implements AsyncIterable<SubscribeUpdate> {
  readonly #call: GrpcCall;

  constructor(call: GrpcCall, pingIntervalMs: number) {
    this.#call = call;
    const timer = setInterval(() => this.ping(KEEP_ALIVE_PING), pingIntervalMs).unref();
    call.onClose(() => clearInterval(timer));
  }

  /** Replaces the subscription. */
  update(request: SubscribeRequest): void {
    this.#call.write(SUBSCRIBE_REQUEST.encode(request));
  }

  /** The server answers with an update `pong` of this id. */
  ping(id: number): void {
    this.update({ ping: { id } });
  }

  /** Bytes of an update are views into its message. The client's own pings add a `pong` of id 0 now and then. */
  [Symbol.asyncIterator](): AsyncGenerator<SubscribeUpdate, void> {
    return this.#call.messages(SUBSCRIBE_UPDATE.decode);
  }
}
