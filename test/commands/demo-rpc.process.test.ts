import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = programArgs('demo-rpc');

interface Printed {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly secretKey: readonly number[];
  readonly wallet: string;
  readonly vault: string;
}

/** Runs the command until it ends by itself. */
function ended(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...COMMAND, ...args], { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Runs the command until it has printed `lines` lines or ended. */
async function started(lines: number, ...args: string[]) {
  const child = spawn(process.execPath, [...COMMAND, '--port', '0', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.split('\n').length > lines) break;
  }
  return {
    output,
    /** Resolves to the exit code. */
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exit;
      return code;
    },
  };
}

async function call(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result?: unknown }).result;
}

describe('npm run demo-rpc -- --seed other --frozen --json', () => {
  let command: Awaited<ReturnType<typeof started>>;
  let printed: Printed;
  beforeAll(async () => {
    command = await started(1, '--seed', 'other', '--frozen', '--json');
    printed = JSON.parse(command.output) as Printed;
  });
  afterAll(() => command?.stop());

  it('prints one line with the URLs, and answers there', async () => {
    expect(command.output.trimEnd()).not.toContain('\n');
    expect(printed.wsUrl).toBe(printed.rpcUrl.replace('http:', 'ws:'));
    expect(await call(printed.rpcUrl, 'getHealth')).toBe('ok');
  });

  it('prints the key of the wallet, which has SOL to spend', async () => {
    expect(printed.secretKey).toHaveLength(64);
    const signer = await createKeyPairSignerFromBytes(Uint8Array.from(printed.secretKey));
    expect(signer.address).toBe(printed.wallet);
    const balance = (await call(printed.rpcUrl, 'getBalance', printed.wallet)) as { value: number };
    expect(balance.value).toBeGreaterThan(100_000_000);
  });

  it('stands still until a request advances it', async () => {
    const before = Number(await call(printed.rpcUrl, 'getSlot'));
    // More than two slots of a chain that is not frozen.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await call(printed.rpcUrl, 'getSlot')).toBe(before);
    expect(await call(printed.rpcUrl, 'demo_advanceTime', 4)).toBe(before + 10);
  });
});

it('without flags the world is the default one, moves, and ends with code 0 on SIGTERM', async () => {
  const command = await started(1);
  const [url = ''] = /http:\/\/[\w.:]+/.exec(command.output) ?? [];
  const before = Number(await call(url, 'getSlot'));
  await expect.poll(() => call(url, 'getSlot'), { timeout: 60_000 }).toBeGreaterThan(before);
  expect(command.output).not.toContain('secretKey');
  expect(await command.stop()).toBe(0);
});

describe('wrong arguments', () => {
  it.each([['--frosen'], ['--seed'], ['extra'], ['--frozen=yes']])(
    '%s prints the usage',
    async (argument) => {
      const { code, stdout, stderr } = await ended(argument);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^npm run demo-rpc -- \[--port 8899\].*--seed.*--frozen.*--json/);
    },
  );

  it('a port out of range is refused by name', async () => {
    const { code, stdout, stderr } = await ended('--port', '70000');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('--port');
    expect(stderr).not.toContain('    at ');
  });

  it('a port that is taken is refused', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    try {
      const { code, stderr } = await ended('--port', port);
      expect(code).toBe(1);
      expect(stderr).toContain('EADDRINUSE');
    } finally {
      other.close();
    }
  });
});
