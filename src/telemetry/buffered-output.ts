import type { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

export interface BufferedOutputOptions {
  /** Lines are collected into writes of this length. */
  readonly writeLength: number;
  /** Longest time that a line waits for others. */
  readonly waitMs: number;
  /** Lines are dropped while so much has been written that the reader has not taken. */
  readonly maxUnreadBytes: number;
}

const DEFAULTS: BufferedOutputOptions = { writeLength: 8_192, waitMs: 200, maxUnreadBytes: 4_000_000 };

/**
 * Log lines for a pipe or file. A reader that has stopped reading never blocks the process and never makes it grow:
 * further lines are dropped, and counted in the next line that is written. The destination that pino provides writes its
 * last lines for as long as that fails, also to a closed pipe, so that the process never ends.
 */
export class BufferedOutput implements DestinationStream {
  readonly #stream: Writable;
  readonly #options: BufferedOutputOptions;
  #lines = '';
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: Writable, options: Partial<BufferedOutputOptions> = {}) {
    this.#stream = stream;
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Bytes that the reader has not taken. */
  get unread(): number {
    return this.#stream.writableLength;
  }

  write(line: string): void {
    const { writeLength, waitMs, maxUnreadBytes } = this.#options;
    if (this.unread >= maxUnreadBytes) {
      this.#dropped += 1;
      return;
    }
    if (this.#dropped > 0) this.#lines += droppedLine(this.#dropped);
    this.#dropped = 0;
    this.#lines += line;
    if (this.#lines.length >= writeLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  /** Hands the collected lines to the stream, which writes what the reader can take at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#stream.write(lines);
  }
}

function droppedLine(dropped: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, dropped, msg: 'log lines were dropped: nothing read them' })}\n`;
}
