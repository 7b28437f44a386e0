import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

/** The product as a process of its own, with what it has written so far. */
function start(env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env;
  const started = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const output = { stdout: '', stderr: '' };
  started.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  started.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const exited = once(started, 'exit').then(([code]) => code as number | null);
  return { process: started, output, exited };
}

async function addressOf({ process: started, output }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout) ?? [];
    if (url !== undefined) return url;
    await once(started.stdout, 'data');
  }
}

async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/ready`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Large enough that the process is still at it when the signal arrives. */
const LONG_QUERY = `{ ${Array.from(
  { length: 12 },
  (_, i) => `v${i}: vaults(first: 100) { nodes { name totalValue { amount usd sol } apy { total }
    allocations { invested { amount usd } reserve { address supplyApy { total } market { name reserves { address supplied { amount usd } } } } } } }`,
).join('\n')} }`;

describe('a process that is told to stop', () => {
  it('finishes what it is doing, takes nothing new, and exits with 0', async () => {
    const running = start({ PORT: '0' });
    const url = await addressOf(running);
    await untilReady(url);
    const request = fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: LONG_QUERY }),
    });
    // Its connection stands when a later one has been answered; from then on the signal cannot overtake it.
    await fetch(`${url}/health`);
    running.process.kill('SIGTERM');
    const response = await request;
    expect(response.status).toBe(200);
    const body = (await response.json()) as { data: Record<string, { nodes: unknown[] }>; errors?: unknown };
    expect(body.errors).toBeUndefined();
    expect(body.data.v11?.nodes.length).toBeGreaterThan(20);
    expect(await running.exited).toBe(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect(running.output.stderr).toBe('');
  });
});

describe('a process with a wrong setting', () => {
  it('says in one line which and what is allowed, and exits with 1', async () => {
    const running = start({ PORT: '70000' });
    expect(await running.exited).toBe(1);
    expect(running.output.stderr).toMatch(/^[^\n]*PORT[^\n]*0 to 65535[^\n]*\n$/);
    expect(running.output.stdout).toBe('');
  });

  it('does not quote an RPC URL, which may hold a key', async () => {
    const running = start({ SOLANA_RPC_URLS: 'ftp://secret-key.example' });
    expect(await running.exited).toBe(1);
    expect(running.output.stderr).toMatch(/^[^\n]*SOLANA_RPC_URLS[^\n]*\n$/);
    expect(running.output.stderr).not.toContain('secret-key');
  });
});
