import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { GeyserError, GrpcStatus } from './errors.ts';

/** What the server may send ahead of a reader, on one stream and on the connection. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

export interface ConnectionOptions {
  readonly connectTimeoutMs: number;
  /** An unanswered ping of this age ends the connection. */
  readonly keepAliveMs: number;
  /** Certificates to trust besides those of Node, in PEM. */
  readonly ca: string | undefined;
}

/** One HTTP/2 connection. Ends when the server is silent; the streams on it end with `failure`. */
export class Connection {
  readonly #session: ClientHttp2Session;
  #failure: GeyserError | null = null;
  #isLeaving = false;

  constructor(origin: string, { connectTimeoutMs, keepAliveMs, ca }: ConnectionOptions) {
    const session = connect(origin, {
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
      ...(ca === undefined ? {} : { ca }),
    });
    this.#session = session;
    const timer = setTimeout(
      () => this.#end(`no connection within ${connectTimeoutMs} ms`),
      connectTimeoutMs,
    );
    let keepAlive: NodeJS.Timeout | undefined;
    session.once('connect', () => {
      // A client that is closed while it connects hears of the connection afterwards.
      if (!session.destroyed) session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    });
    session.once('remoteSettings', () => {
      clearTimeout(timer);
      keepAlive = this.#keepAlive(keepAliveMs);
    });
    session.once('goaway', () => {
      this.#isLeaving = true;
    });
    session.on('error', (error: NodeJS.ErrnoException) => this.#fail(`connection failed (${codeOf(error)})`));
    session.once('close', () => {
      clearTimeout(timer);
      clearInterval(keepAlive);
      this.#fail('the connection was closed');
    });
  }

  /** Null while it is up. */
  get failure(): GeyserError | null {
    return this.#failure;
  }

  /** Whether it takes new streams. */
  get isUsable(): boolean {
    return !this.#isLeaving && !this.#session.closed && !this.#session.destroyed;
  }

  open(headers: OutgoingHttpHeaders): ClientHttp2Stream {
    return this.#session.request(headers, { endStream: false });
  }

  close(): Promise<void> {
    if (this.#session.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#session.once('close', resolve);
      this.#end('the client was closed');
    });
  }

  #keepAlive(intervalMs: number): NodeJS.Timeout {
    let isAnswered = true;
    return setInterval(() => {
      if (!isAnswered) {
        this.#end('the server does not answer pings');
        return;
      }
      isAnswered = false;
      this.#session.ping((error) => {
        isAnswered = error === null;
      });
    }, intervalMs).unref();
  }

  #end(why: string): void {
    this.#fail(why);
    this.#session.destroy();
  }

  #fail(why: string): void {
    this.#failure ??= new GeyserError(GrpcStatus.UNAVAILABLE, why);
  }
}

/** Messages of Node have the host, so errors have the code alone. */
function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? 'unknown error';
}
