import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = ['--import', 'tsx', 'src/cli.ts'];

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

describe('sluice-localnet --seed other --frozen --json', () => {
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
    // Slots vary in length, but every minute has 150.
    expect(await call(printed.rpcUrl, 'localnet_advanceTime', 60)).toBe(before + 150);
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

it('--version prints the version, --help the usage', async () => {
  expect(await ended('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  expect(await ended('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^usage:/),
    stderr: '',
  });
});

describe('wrong arguments', () => {
  it.each([['--frosen'], ['--seed'], ['extra'], ['--frozen=yes']])(
    '%s prints the usage',
    async (argument) => {
      const { code, stdout, stderr } = await ended(argument);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^usage: sluice-localnet .*--port.*--seed.*--frozen.*--json/s);
    },
  );

  it.each([
    ['--port', '70000', 'from 0 to 65535'],
    ['--port', '1e3', 'from 0 to 65535'],
    ['--scale', '51', 'from 1 to 50'],
  ])('%s %s is refused by name', async (option, value, range) => {
    const { code, stdout, stderr } = await ended(option, value);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`sluice-localnet: ${option} must be a whole number ${range}, not "${value}"\n`);
  });

  it('a port that is taken is refused', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    try {
      const { code, stderr } = await ended('--port', port);
      expect(code).toBe(1);
      expect(stderr).toBe(
        `sluice-localnet: port ${port} of 127.0.0.1 is in use (EADDRINUSE); --port picks another, 0 any free one\n`,
      );
    } finally {
      other.close();
    }
  });
});
