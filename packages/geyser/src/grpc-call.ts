import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { GeyserError, GrpcStatus } from './errors.ts';
import { FrameReader, frame } from './frames.ts';
import { failureOfHttp, failureOfReset, outcomeOf } from './status-headers.ts';

export interface CallOptions {
  readonly maxMessageBytes: number;
  /** Taken out of the server's texts. */
  readonly secret: string | undefined;
  /** Why the connection was lost; null while it is up. */
  readonly connectionFailure: () => GeyserError | null;
}

/** A call on a stream of a connection: requests go out as they are written, answers come as they are read. */
export class GrpcCall {
  readonly #stream: ClientHttp2Stream;
  readonly #options: CallOptions;
  readonly #closed: Promise<void>;
  #outcome: GeyserError | 'ok' | undefined;
  #httpFailure: GeyserError | null = null;
  #encoding: string | undefined;
  #cancelled: GeyserError | undefined;
  #isAsked = false;

  constructor(stream: ClientHttp2Stream, options: CallOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on('response', (headers) => this.#onHeaders(headers));
    stream.on('trailers', (trailers: IncomingHttpHeaders) => this.#onOutcome(trailers));
    // The reader of the messages learns of it from their end.
    stream.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      stream.once('close', resolve);
    });
  }

  get isOpen(): boolean {
    return !this.#stream.destroyed && !this.#stream.closed && !this.#stream.writableEnded;
  }

  /** Does nothing once the call has ended, which its messages report. */
  write(message: Uint8Array): void {
    if (this.isOpen) this.#stream.write(frame(message));
  }

  /** No more requests. */
  end(): void {
    if (this.isOpen) this.#stream.end();
  }

  /** Ends the call; its messages end with the error. */
  cancel(error: GeyserError): void {
    this.#cancelled ??= error;
    this.#close();
  }

  onClose(listener: () => void): void {
    void this.#closed.then(listener);
  }

  /**
   * The answers; once only. They are taken from the connection as they are read, so that the server waits for a slow reader.
   * Throws a GeyserError unless the server ends the call with success.
   */
  async *messages<T>(decode: (message: Uint8Array) => T): AsyncGenerator<T, void> {
    if (this.#isAsked) throw new RangeError('the messages of a call can be read once');
    this.#isAsked = true;
    const frames = new FrameReader(this.#options.maxMessageBytes, () => this.#encoding === 'gzip');
    try {
      for await (const chunk of this.#stream) {
        if (this.#httpFailure !== null) throw this.#httpFailure;
        for (const message of frames.push(chunk)) {
          if (this.#cancelled !== undefined) throw this.#cancelled;
          yield decode(message);
        }
      }
    } catch (error) {
      if (error instanceof GeyserError) throw error;
      // Anything else is the stream's own failure, or a fault of ours.
      if (!this.#stream.destroyed) throw error;
    } finally {
      this.#close();
    }
    await this.#closed;
    const failure = this.#failure(frames.isComplete);
    if (failure !== null) throw failure;
  }

  /** Null when the call succeeded. */
  #failure(isComplete: boolean): GeyserError | null {
    if (this.#cancelled !== undefined) return this.#cancelled;
    if (this.#outcome === 'ok') {
      return isComplete ? null : new GeyserError(GrpcStatus.INTERNAL, 'the last message is cut off');
    }
    if (this.#outcome !== undefined) return this.#outcome;
    if (this.#httpFailure !== null) return this.#httpFailure;
    const lost = this.#options.connectionFailure();
    if (lost !== null) return lost;
    const { rstCode } = this.#stream;
    if (rstCode !== undefined && rstCode !== constants.NGHTTP2_NO_ERROR && !this.#isClosedHere) {
      return failureOfReset(rstCode);
    }
    return new GeyserError(GrpcStatus.UNAVAILABLE, 'the stream ended without a status');
  }

  #isClosedHere = false;

  #close(): void {
    const stream = this.#stream;
    if (stream.destroyed) return;
    this.#isClosedHere = !stream.closed;
    if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
  }

  #onHeaders(headers: IncomingHttpHeaders): void {
    this.#onOutcome(headers);
    if (this.#outcome === undefined) this.#httpFailure = failureOfHttp(headers);
    const encoding = headers['grpc-encoding'];
    this.#encoding = typeof encoding === 'string' ? encoding : undefined;
  }

  #onOutcome(headers: IncomingHttpHeaders): void {
    this.#outcome ??= outcomeOf(headers, this.#options.secret);
  }
}
