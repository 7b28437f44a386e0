import type { ServerHttp2Stream } from 'node:http2';
import { GeyserError, GrpcStatus, statusName } from './errors.ts';
import { FrameReader, frame } from './frames.ts';
import { statusHeaders } from './status-headers.ts';

/** As much as the reference server decodes. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const HEADERS = { ':status': 200, 'content-type': 'application/grpc' };

/** The server's side of one call. */
export class ServerCall {
  readonly #stream: ServerHttp2Stream;
  readonly #abort = new AbortController();
  #status: { readonly code: GrpcStatus; readonly message: string } | null = null;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    // The client has gone; `signal` says so.
    stream.on('error', () => undefined);
    stream.once('close', () => this.#abort.abort());
    stream.on('wantTrailers', () => {
      const { code, message } = this.#status ?? { code: GrpcStatus.OK, message: '' };
      stream.sendTrailers(statusHeaders(code, message));
    });
  }

  /** Aborted when the stream is closed, by whichever side. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Written and not yet taken by the client. */
  get bufferedBytes(): number {
    return this.#stream.writableLength;
  }

  /** Runs a part of the call; what it throws ends the call. */
  run(part: () => void): void {
    try {
      part();
    } catch (error) {
      if (!(error instanceof GeyserError)) throw error;
      this.end(error.status, error.message.slice(statusName(error.status).length + 2));
    }
  }

  /** @param receive called with each request, @param end after the last one */
  receive(receive: (message: Uint8Array) => void, end: () => void): void {
    const frames = new FrameReader(MAX_REQUEST_BYTES, () => false);
    this.#stream.on('data', (chunk: Uint8Array) => {
      if (this.#status !== null) return;
      this.run(() => {
        for (const message of frames.push(chunk)) receive(message);
      });
    });
    this.#stream.once('end', () => this.run(end));
  }

  /** Sends the headers, so that the client knows that the call is accepted. */
  accept(): void {
    if (!this.#stream.headersSent && !this.#stream.destroyed) {
      this.#stream.respond(HEADERS, { waitForTrailers: true });
    }
  }

  /** False when the client does not keep up: wait for `drained`. Does nothing once the call has ended. */
  send(message: Uint8Array): boolean {
    if (this.#status !== null || this.#stream.destroyed) return true;
    this.accept();
    return this.#stream.write(frame(message));
  }

  /** Resolves when the client has caught up or left. */
  drained(): Promise<void> {
    if (!this.#stream.writableNeedDrain || this.#stream.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = () => {
        this.#stream.off('drain', settle);
        this.#stream.off('close', settle);
        resolve();
      };
      this.#stream.on('drain', settle);
      this.#stream.on('close', settle);
    });
  }

  end(code: GrpcStatus = GrpcStatus.OK, message = ''): void {
    if (this.#status !== null || this.#stream.destroyed) return;
    this.#status = { code, message };
    if (this.#stream.headersSent) this.#stream.end();
    else this.#stream.respond({ ...HEADERS, ...statusHeaders(code, message) }, { endStream: true });
  }
}
