import type { GrpcStatus } from './errors.ts';
import {
  type ReceivedRequest,
  SUBSCRIBE_REQUEST,
  SUBSCRIBE_UPDATE,
  type SubscribeUpdateInput,
} from './messages.ts';
import type { ServerCall } from './server-call.ts';

/** A subscription of a client, as the server sees it. */
export interface SubscribeCall {
  /** Aborted when the stream is closed, by whichever side. */
  readonly signal: AbortSignal;
  /** Written and not yet taken by the client. */
  readonly bufferedBytes: number;
  /** False when the client does not keep up: wait for `drained`. */
  send(update: SubscribeUpdateInput): boolean;
  drained(): Promise<void>;
  end(status?: GrpcStatus, message?: string): void;
}

/** The client may end its side; the subscription goes on. */
export function serveSubscribe(
  call: ServerCall,
  handlers: { subscribe(call: SubscribeCall): (request: ReceivedRequest) => void },
): void {
  const receive = handlers.subscribe({
    signal: call.signal,
    get bufferedBytes() {
      return call.bufferedBytes;
    },
    send: (update) => call.send(SUBSCRIBE_UPDATE.encode(update)),
    drained: () => call.drained(),
    end: (status, message) => call.end(status, message),
  });
  call.accept();
  call.receive(
    (message) => receive(SUBSCRIBE_REQUEST.decode(message)),
    () => undefined,
  );
}
