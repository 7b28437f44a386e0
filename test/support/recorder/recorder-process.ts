import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DriverInput } from './recorder-process-main.ts';

const DRIVER = fileURLToPath(new URL('./recorder-process-main.ts', import.meta.url));
const RECORDED = /^recorded (\S+)$/;

/** A recorder in a child process. */
export class RecorderProcess {
  /** Its output lines. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  #unfinished = '';

  constructor(input: DriverInput) {
    this.#child = spawn(process.execPath, ['--import', 'tsx', DRIVER, JSON.stringify(input)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk) => {
      const lines = (this.#unfinished + String(chunk)).split('\n');
      this.#unfinished = lines.pop() ?? '';
      this.lines.push(...lines);
    });
  }

  /** Minutes whose write has returned. */
  get recorded(): string[] {
    return this.lines.flatMap((line) => RECORDED.exec(line)?.[1] ?? []);
  }

  async until(what: (process: RecorderProcess) => boolean, withinMs = 240_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!what(this)) {
      if (Date.now() > deadline)
        throw new Error(`the recorder did not get there: ${this.lines.slice(-5).join(' | ')}`);
      if (this.#child.exitCode !== null) throw new Error(`the recorder exited with ${this.#child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it and waits until it has exited and all output has arrived. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill(signal);
    await once(this.#child, 'close');
  }
}
