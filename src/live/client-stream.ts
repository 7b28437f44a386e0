import { COMPLETE, KEEP_ALIVE, PREAMBLE } from './event-bytes.ts';

/**
 * Why a stream ended: the client disconnected or stopped reading, its key was revoked, the gateway stops, or there is
 * nothing more to send.
 */
export type StreamEnd = 'gone' | 'stalled' | 'revoked' | 'stopping' | 'complete';

export interface ClientStreamOptions {
  /** Takes the bytes to send; null for none. */
  readonly take: () => Uint8Array | null;
  /** Whether the bytes that were taken are the last. */
  readonly isOver: () => boolean;
  /** Idle time after which a keep-alive comment is sent. */
  readonly keepAliveMs: number;
  /** A stream ends when its client leaves bytes unread for this long. */
  readonly stallMs: number;
  readonly onEnd: (reason: StreamEnd) => void;
}

/**
 * The response body of one client. It takes events from the channel only when the socket can send them, so nothing is
 * buffered for a slow client.
 */
export class ClientStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #options: ClientStreamOptions;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #resume: (() => void) | null = null;
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
    this.#startStallTimer();
  }

  /** Signals that there may be something to take. */
  wake(): void {
    if (this.#resume !== null) this.#resume();
    else if (this.#stall === undefined) this.#startStallTimer();
  }

  /** @param lastBytes sent before the end */
  end(reason: StreamEnd, lastBytes?: Uint8Array): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#stall);
    if (lastBytes !== undefined) this.#controller?.enqueue(lastBytes);
    // A stream cancelled by its reader is closed already.
    if (reason !== 'gone') this.#controller?.close();
    this.#resume?.();
    this.#options.onEnd(reason);
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#stall);
    this.#stall = undefined;
    let bytes = this.#options.take();
    if (bytes === null) bytes = (await this.#waitForWake()) ? this.#options.take() : KEEP_ALIVE;
    if (!this.#isOpen) return;
    if (bytes === null) {
      await this.#pull(controller);
      return;
    }
    controller.enqueue(bytes);
    if (this.#options.isOver()) this.end('complete', COMPLETE);
  }

  /** False when the keep-alive timer fired first. */
  #waitForWake(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), this.#options.keepAliveMs);
      const settle = (woken: boolean) => {
        clearTimeout(timer);
        this.#resume = null;
        resolve(woken);
      };
      this.#resume = () => settle(true);
    });
  }

  #startStallTimer(): void {
    if (!this.#isOpen) return;
    this.#stall = setTimeout(() => this.end('stalled'), this.#options.stallMs);
    this.#stall.unref();
  }
}
