import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programArgs } from './program-args.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START_MS = 180_000;

/** One of our programs as a child process, with its output. */
export class Member {
  readonly name: string;
  readonly #program: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  output = '';

  constructor(name: string, program: string, env: Readonly<Record<string, string>>) {
    this.name = name;
    this.#program = program;
    this.#env = env;
  }

  /** Starts it, or restarts it after a kill, and waits until its output matches the pattern. */
  async start(says: RegExp): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    this.output = '';
    const child = spawn(process.execPath, programArgs(this.#program), {
      cwd: ROOT,
      env: { PATH, HOME, DRAIN_MS: '0', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.output += String(chunk);
      });
    }
    const deadline = Date.now() + START_MS;
    for (;;) {
      const [, found] = says.exec(this.output) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`${this.name} did not start: ${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Kills it without a chance to clean up, and waits until it has exited. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

export async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const response = await fetch(`${url}/ready`);
    const body = await response.text();
    if (response.ok && body.includes('"history":{"status":"ready"')) return;
    if (Date.now() > deadline) throw new Error(`${url} is not ready: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
