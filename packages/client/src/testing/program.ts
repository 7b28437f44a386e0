import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramOptions {
  readonly folder: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Enough of the output to see why a program did not start. */
const KEPT_CHARACTERS = 10_000;

/** A program in a child process. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';

  constructor({ folder, args, env }: ProgramOptions) {
    // Variables of the application under test, such as DATABASE_URL, must not become settings of the gateway.
    const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
    this.#child = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH, HOME, TMPDIR, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Read to the end, so that the program never waits for a full pipe.
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + String(chunk)).slice(-KEPT_CHARACTERS);
      });
  }

  /** Waits until a check returns something. Throws when the program ends before. */
  async until<Found>(check: (output: string) => Found | null | Promise<Found | null>): Promise<Found> {
    for (;;) {
      const found = await check(this.#output);
      if (found !== null) return found;
      if (this.#hasEnded) throw new Error(`The program ended before it was ready:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
