import { setMaxListeners } from 'node:events';
import { abandonOn } from '@sluice/rpc-pool/abort';
import { stringifyExactJson } from '@sluice/rpc-pool/transport/exact-json';
import {
  getDataPublisherFromEventEmitter,
  type RpcSubscriptionsChannel,
  SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_CONNECTION_CLOSED,
  SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_FAILED_TO_CONNECT,
  SolanaError,
  type TypedEventTarget,
} from '@solana/kit';
import { WebSocket } from 'ws';
import { type Frame, parseFrame } from './frames.ts';

/** The largest message: an account of a kind that we subscribe to has some kilobytes. */
export const MAX_FRAME_BYTES = 1_048_576;
const HANDSHAKE_MS = 10_000;

export interface FrameSocket {
  send(text: string): void;
  /** Ends the connection at once. */
  close(): void;
}

export interface SocketEvents {
  readonly onOpen: () => void;
  readonly onFrame: (frame: Buffer) => void;
  /** Called once, also when it could not be opened. */
  readonly onEnd: (cause: unknown) => void;
}

export type OpenSocket = (url: string, events: SocketEvents) => FrameSocket;

/** A WebSocket that closes when a message exceeds the limit, before all of it has been received. */
export const openWebSocket: OpenSocket = (url, { onOpen, onFrame, onEnd }) => {
  const socket = new WebSocket(url, { maxPayload: MAX_FRAME_BYTES, handshakeTimeout: HANDSHAKE_MS });
  let cause: unknown;
  socket.on('open', onOpen);
  socket.on('message', (data) => {
    if (Buffer.isBuffer(data)) onFrame(data);
  });
  socket.on('error', (error) => {
    cause = error;
  });
  socket.on('close', () => onEnd(cause));
  return { send: (text) => socket.send(text, () => undefined), close: () => socket.terminate() };
};

type Channel = RpcSubscriptionsChannel<object, Frame>;

/** A connection on which only well-formed messages arrive. A malformed one ends it. */
export function openFrameChannel(url: string, signal: AbortSignal, open: OpenSocket): Promise<Channel> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const target = new EventTarget();
  setMaxListeners(0, target);
  const events = target as TypedEventTarget<Record<'error' | 'message', CustomEvent>>;
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let isOver = false;
    const end = (cause: unknown) => {
      if (isOver) return;
      isOver = true;
      unlink();
      socket.close();
      if (!isOpen) {
        const context = { errorEvent: new CustomEvent('error', { detail: cause }) };
        reject(new SolanaError(SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_FAILED_TO_CONNECT, context));
      } else if (!signal.aborted) {
        const detail = new SolanaError(SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_CONNECTION_CLOSED, { cause });
        events.dispatchEvent(new CustomEvent('error', { detail }));
      }
    };
    const channel: Channel = {
      ...getDataPublisherFromEventEmitter(events),
      async send(message) {
        if (isOver) throw new SolanaError(SOLANA_ERROR__RPC_SUBSCRIPTIONS__CHANNEL_CONNECTION_CLOSED);
        socket.send(stringifyExactJson(message));
      },
    };
    const socket = open(url, {
      onOpen() {
        isOpen = true;
        resolve(channel);
      },
      onFrame(bytes) {
        if (isOver) return;
        try {
          const frame = parseFrame(bytes);
          if (frame !== null) events.dispatchEvent(new CustomEvent('message', { detail: frame }));
        } catch (error) {
          end(error);
        }
      },
      onEnd: end,
    });
    const unlink = abandonOn(signal, end);
  });
}
