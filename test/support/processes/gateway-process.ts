import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programArgs } from './program-args.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The response of `/ready`. */
export interface Readiness {
  readonly status: string;
  readonly history: { readonly status: string; readonly doing: string | null };
}

/** The gateway as a child process, with its output so far. */
export class GatewayProcess {
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, programArgs('main'), {
      cwd: ROOT,
      env: { PATH, HOME, PORT: '0', RECORDER: 'none', DRAIN_MS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => {
      this.stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      this.stderr += String(chunk);
    });
    // All of its output has arrived by then.
    this.exited = once(child, 'close').then(([code]) => code as number | null);
    this.#child = child;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Its URL, once it listens. */
  async url(): Promise<string> {
    for (;;) {
      if (this.hasExited) throw new Error(`the process has exited: ${this.stderr}`);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(this.stdout) ?? [];
      if (url !== undefined) return url;
      await sleep(50);
    }
  }

  /** Its URL, once it is ready. */
  async ready(): Promise<string> {
    const url = await this.url();
    while (!(await fetch(`${url}/ready`)).ok) await sleep(50);
    return url;
  }

  /** Polls `/ready` until it matches. */
  async readiness(isAsWanted: (readiness: Readiness) => boolean): Promise<Readiness> {
    const url = await this.url();
    for (;;) {
      const readiness = (await (await fetch(`${url}/ready`)).json()) as Readiness;
      if (isAsWanted(readiness)) return readiness;
      await sleep(100);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
