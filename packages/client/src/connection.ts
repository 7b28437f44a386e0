import { SluiceError } from './errors.ts';

/** One HTTP exchange: what may end it early, and the error for each way in which it ends. */
export class Connection {
  /** For `fetch`. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  readonly #stop: AbortSignal | undefined;
  readonly #own = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #limitMs: number | null = null;

  /** @param stop the caller's signal */
  constructor(requestId: string, stop: AbortSignal | undefined) {
    this.requestId = requestId;
    this.#stop = stop;
    this.signal = stop === undefined ? this.#own.signal : AbortSignal.any([stop, this.#own.signal]);
  }

  /** Waits for something that must take no longer than this many milliseconds. */
  async within<Result>(limitMs: number, wait: () => Promise<Result>): Promise<Result> {
    this.#stop?.throwIfAborted();
    this.#timer = setTimeout(() => {
      this.#limitMs = limitMs;
      this.#own.abort();
    }, limitMs);
    try {
      return await wait();
    } catch (cause) {
      throw this.#failure(cause);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  close(): void {
    this.#own.abort();
  }

  #failure(cause: unknown): unknown {
    if (cause instanceof SluiceError) return cause;
    if (this.#stop?.aborted) return this.#stop.reason;
    const { requestId } = this;
    if (this.#limitMs !== null)
      return new SluiceError(`The gateway sent nothing for ${this.#limitMs} ms.`, {
        code: 'TIMEOUT',
        retryable: true,
        requestId,
        cause,
      });
    return new SluiceError('The gateway cannot be reached.', {
      code: 'NETWORK',
      retryable: true,
      requestId,
      cause,
    });
  }
}
