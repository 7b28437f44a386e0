import { KEEP_ALIVE, PREAMBLE } from './event-bytes.ts';

/** Why a stream ended: the client went, it did not read, or the gateway stops. */
export type StreamEnd = 'gone' | 'stalled' | 'stopping';

export interface ClientStreamOptions {
  /** What is to be sent now; null for nothing. */
  readonly take: () => Uint8Array | null;
  /** How long nothing may be sent before a comment is. */
  readonly keepAliveMs: number;
  /** How long a client may leave something unread before it is dropped. */
  readonly stallMs: number;
  readonly onEnd: (why: StreamEnd) => void;
}

/**
 * The body of one client's answer. It takes from the channel when the socket has room and at no other time, so what a
 * slow client has not read yet is kept for nobody.
 */
export class ClientStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: ClientStreamOptions;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #proceed: (() => void) | null = null;
  #stall: NodeJS.Timeout | undefined;
  #isOpen = true;

  constructor(options: ClientStreamOptions) {
    this.#options = options;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(PREAMBLE);
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.end('gone'),
      },
      { highWaterMark: 0 },
    );
    this.#expectReader();
  }

  /** There may be something to take. */
  wake(): void {
    if (this.#proceed !== null) this.#proceed();
    else if (this.#stall === undefined) this.#expectReader();
  }

  end(why: StreamEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#stall);
    // A stream that the reader has cancelled is closed already.
    if (why !== 'gone') this.#controller?.close();
    this.#proceed?.();
    this.#options.onEnd(why);
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#stall);
    this.#stall = undefined;
    let bytes = this.#options.take();
    if (bytes === null) bytes = (await this.#woken()) ? this.#options.take() : KEEP_ALIVE;
    if (!this.#isOpen) return;
    if (bytes !== null) controller.enqueue(bytes);
    else await this.#pull(controller);
  }

  /** False when the time for a comment came first. */
  #woken(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), this.#options.keepAliveMs);
      const settle = (woken: boolean) => {
        clearTimeout(timer);
        this.#proceed = null;
        resolve(woken);
      };
      this.#proceed = () => settle(true);
    });
  }

  #expectReader(): void {
    if (!this.#isOpen) return;
    this.#stall = setTimeout(() => this.end('stalled'), this.#options.stallMs);
    this.#stall.unref();
  }
}
