import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const START_MS = 120_000;

/** Line that a gateway prints when it listens. */
export const LISTENING = /(http:\/\/127\.0\.0\.1:\d+)/;

export interface ProgramOptions {
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
}

/** One of our programs as a child process. It sees no environment but the one given. */
export class ProgramProcess {
  readonly #child: ChildProcess;
  output = '';

  constructor({ command = process.execPath, args, ...options }: ProgramOptions) {
    this.#child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += String(chunk);
      });
    }
  }

  /** Waits for output that matches and returns the first group. */
  async says(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const [, found] = pattern.exec(this.output) ?? [];
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`No output matches ${pattern}: ${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The exit code. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  /** @throws when it does not exit with 0 */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill('SIGTERM');
    const code = await this.ended();
    if (code !== 0) throw new Error(`Exit code ${code}: ${this.output}`);
  }
}

export async function untilReady(url: string, wanted: (body: string) => boolean = () => true): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const response = await fetch(`${url}/ready`);
    const body = await response.text();
    if (response.ok && wanted(body)) return;
    if (Date.now() > deadline) throw new Error(`Not ready: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** One GraphQL query, one REST read and the pages of a gateway. @throws when one of them fails */
export async function checkAnswers(url: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ vaults(first: 1) { nodes { name totalValue { usd } } } }' }),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"usd"') || text.includes('"errors"')) throw new Error(text);
  for (const path of ['/kvaults/vaults', '/openapi.json', '/docs', '/graphql']) {
    const { ok, status } = await fetch(`${url}${path}`, { headers: { accept: 'text/html, */*' } });
    if (!ok) throw new Error(`${path} answers ${status}`);
  }
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const [, script] = /<script [^>]*src="\.(\/explorer\/[^"]+)"/.exec(page) ?? [];
  if (script === undefined) throw new Error(`/ is not the explorer: ${page.slice(0, 500)}`);
  const { ok, status } = await fetch(url + script);
  if (!ok) throw new Error(`${script} answers ${status}`);
}
