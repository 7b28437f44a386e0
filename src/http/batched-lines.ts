import type { DestinationStream } from 'pino';

const PAUSE_MS = 20;
const MOST_CHARACTERS = 64_000;

/**
 * Writes a line at once when none was written just before, and lines that follow closely together: a write of its own for
 * each of thousands of requests per second would cost as much as some of the answers. Only a kill that nothing can catch
 * loses the lines of the last moment.
 */
export class BatchedLines implements DestinationStream {
  readonly #destination: DestinationStream;
  #waiting = '';
  #pause: NodeJS.Timeout | undefined;

  constructor(destination: DestinationStream) {
    this.#destination = destination;
    process.once('exit', () => this.#flush());
  }

  write(line: string): void {
    this.#waiting += line;
    if (this.#pause === undefined || this.#waiting.length > MOST_CHARACTERS) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    if (this.#waiting === '') return;
    const lines = this.#waiting;
    this.#waiting = '';
    // Nothing waits for this to end: what is left is written on the way out.
    this.#pause = setTimeout(() => this.#flush(), PAUSE_MS).unref();
    this.#destination.write(lines);
  }
}
