import type { OutgoingHttpHeaders } from 'node:http2';
import { Connection } from './connection.ts';
import { GeyserError, GrpcStatus } from './errors.ts';
import { MAX_MESSAGE_BYTES } from './frames.ts';
import { GeyserStream } from './geyser-stream.ts';
import { GrpcCall } from './grpc-call.ts';
import {
  GET_SLOT,
  GET_VERSION,
  LATEST_BLOCKHASH,
  type LatestBlockhash,
  PING,
  REPLAY_INFO,
  SUBSCRIBE_PATH,
  type UnaryMethod,
} from './messages/unary.ts';
import type { CommitmentLevel, SubscribeRequest } from './messages.ts';
import type { Decoded, Fields, Input } from './wire/fields.ts';

export interface GeyserEndpoint {
  /** `http://` or `https://` with host and port, without a path. */
  readonly url: string;
  readonly token?: string;
  /** Defaults to `x-token`. */
  readonly tokenHeader?: string;
}

export interface GeyserClientOptions {
  /** Defaults to 10 s. */
  readonly connectTimeoutMs?: number;
  /** Deadline of calls with one answer. Defaults to 10 s. */
  readonly timeoutMs?: number;
  /** Interval of HTTP/2 pings; an unanswered one ends the connection. Defaults to 10 s. */
  readonly keepAliveMs?: number;
  /** Interval of ping requests on a subscription: proxies close a stream on which the client is silent. Defaults to 15 s. */
  readonly pingIntervalMs?: number;
  /** Defaults to 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Certificates to trust instead of those of Node, in PEM. */
  readonly ca?: string;
}

/** Client of one endpoint. It connects on the first call, and again on the first one after a lost connection. */
export class GeyserClient {
  readonly #origin: string;
  readonly #endpoint: GeyserEndpoint;
  readonly #options: Required<Omit<GeyserClientOptions, 'ca'>> & { readonly ca: string | undefined };
  #connection: Connection | null = null;
  #isClosed = false;

  /** Throws a RangeError, which does not quote the URL, when it cannot be used. */
  constructor(endpoint: GeyserEndpoint, options: GeyserClientOptions = {}) {
    this.#origin = originOf(endpoint.url);
    this.#endpoint = endpoint;
    this.#options = {
      connectTimeoutMs: 10_000,
      timeoutMs: 10_000,
      keepAliveMs: 10_000,
      pingIntervalMs: 15_000,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      ca: undefined,
      ...options,
    };
  }

  /** Ends when the signal is aborted, with CANCELLED. */
  subscribe(request: SubscribeRequest, signal: AbortSignal): GeyserStream {
    const call = this.#call(SUBSCRIBE_PATH, signal);
    const stream = new GeyserStream(call, this.#options.pingIntervalMs);
    stream.update(request);
    return stream;
  }

  /** The oldest slot that `fromSlot` can name; null when the server replays nothing. */
  async subscribeReplayInfo(signal: AbortSignal): Promise<{ readonly firstAvailable: bigint | null }> {
    return await this.#ask(REPLAY_INFO, {}, signal);
  }

  async getSlot(commitment: CommitmentLevel, signal: AbortSignal): Promise<bigint> {
    return (await this.#ask(GET_SLOT, { commitment }, signal)).slot;
  }

  async getLatestBlockhash(commitment: CommitmentLevel, signal: AbortSignal): Promise<LatestBlockhash> {
    return await this.#ask(LATEST_BLOCKHASH, { commitment }, signal);
  }

  /** A JSON text. */
  async getVersion(signal: AbortSignal): Promise<string> {
    return (await this.#ask(GET_VERSION, {}, signal)).version;
  }

  /** Returns the count of the server. */
  async ping(count: number, signal: AbortSignal): Promise<number> {
    return (await this.#ask(PING, { count }, signal)).count;
  }

  /** Ends all calls with UNAVAILABLE. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
  }

  async #ask<Q extends Fields, A extends Fields>(
    method: UnaryMethod<Q, A>,
    request: Input<Q>,
    signal: AbortSignal,
  ): Promise<Decoded<A>> {
    const { timeoutMs } = this.#options;
    const call = this.#call(method.path, signal, { 'grpc-timeout': `${timeoutMs}m` });
    const timer = setTimeout(
      () => call.cancel(new GeyserError(GrpcStatus.DEADLINE_EXCEEDED, `no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      call.write(method.request.encode(request));
      call.end();
      const answers: Decoded<A>[] = [];
      for await (const answer of call.messages(method.answer.decode)) answers.push(answer);
      const [answer] = answers;
      if (answer !== undefined && answers.length === 1) return answer;
      throw new GeyserError(GrpcStatus.INTERNAL, `${answers.length} answers instead of one`);
    } finally {
      clearTimeout(timer);
    }
  }

  #call(path: string, signal: AbortSignal, headers: OutgoingHttpHeaders = {}): GrpcCall {
    if (this.#isClosed) throw new GeyserError(GrpcStatus.UNAVAILABLE, 'the client was closed');
    if (signal.aborted) throw cancelled();
    const { token, tokenHeader = 'x-token' } = this.#endpoint;
    const connection = this.#connected();
    const stream = connection.open({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-accept-encoding': 'identity,gzip',
      'user-agent': 'sluice-geyser',
      ...(token === undefined ? {} : { [tokenHeader]: token }),
      ...headers,
    });
    const call = new GrpcCall(stream, {
      maxMessageBytes: this.#options.maxMessageBytes,
      secret: token,
      connectionFailure: () => connection.failure,
    });
    const onAbort = () => call.cancel(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    call.onClose(() => signal.removeEventListener('abort', onAbort));
    return call;
  }

  #connected(): Connection {
    if (this.#connection?.isUsable !== true) this.#connection = new Connection(this.#origin, this.#options);
    return this.#connection;
  }
}

function cancelled(): GeyserError {
  return new GeyserError(GrpcStatus.CANCELLED, 'the caller ended the call');
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RangeError('a Geyser endpoint is an http:// or https:// URL');
  }
  if (url.pathname !== '/' || url.search !== '' || url.username !== '' || url.password !== '') {
    throw new RangeError(
      'the URL of a Geyser endpoint has host and port alone; the token is set apart from it',
    );
  }
  return url.origin;
}
