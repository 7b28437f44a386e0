import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

/** Starts a gateway process and collects its output. */
function start(env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env;
  const started = spawn(process.execPath, programArgs('main'), {
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

async function addressOf({ process: started, output, exited }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout) ?? [];
    if (url !== undefined) return url;
    if (started.exitCode !== null) throw new Error(`the process exited: ${output.stderr}`);
    await Promise.race([once(started.stdout, 'data'), exited]);
  }
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/ready`);
    await response.text();
    if (response.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A request whose head the server has read and whose body it still waits for. */
async function beginRequest(url: string, body: string) {
  const sent = httpRequest(`${url}/graphql`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  return async () => {
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
}

/** Tries new connections until one is refused. */
async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (refused) return;
  }
}

describe('a process that receives SIGTERM', () => {
  it('refuses new connections, finishes requests in flight and exits with 0', async () => {
    const running = start({ PORT: '0', RECORDER: 'none', DRAIN_MS: '0' });
    const url = await addressOf(running);
    await untilReady(url);
    const finish = await beginRequest(
      url,
      JSON.stringify({ query: '{ vaults(first: 3) { nodes { name } } }' }),
    );
    running.process.kill('SIGTERM');
    await untilRefused(url);
    expect(running.process.exitCode).toBeNull();
    const { status, body } = await finish();
    expect(status).toBe(200);
    expect(JSON.parse(body).data.vaults.nodes).toHaveLength(3);
    expect(await running.exited).toBe(0);
    expect(running.output.stderr).toBe('');
  });
});

describe('a process with an invalid setting', () => {
  it('lists every invalid setting, one line each, and exits with 1', async () => {
    const running = start({ PORT: '70000', LOG_LEVEL: 'loud' });
    expect(await running.exited).toBe(1);
    expect(running.output.stderr).toMatch(/^PORT: [^\n]*0 to 65535\nLOG_LEVEL: must be one of [^\n]*\n$/);
    expect(running.output.stdout).toBe('');
  });

  it('does not quote an RPC URL, which may hold a key', async () => {
    const running = start({ SOLANA_RPC_URLS: 'ftp://secret-key.example' });
    expect(await running.exited).toBe(1);
    expect(running.output.stderr).toMatch(/^[^\n]*SOLANA_RPC_URLS[^\n]*\n$/);
    expect(running.output.stderr).not.toContain('secret-key');
  });

  it('names PORT in one line when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const running = start({ PORT: String(port), SOLANA_RPC_URLS: 'http://127.0.0.1:9' });
    expect(await running.exited).toBe(1);
    other.close();
    expect(running.output.stderr).toBe(
      `PORT: ${port} is already in use on 127.0.0.1; choose another port or stop the process that uses it\n`,
    );
  });
});

describe('a process whose RPC endpoint is unreachable', () => {
  it('keeps running and logs one line that names SOLANA_RPC_URLS and not the URL', async () => {
    const running = start({ PORT: '0', SOLANA_RPC_URLS: 'http://127.0.0.1:9/secret-key' });
    const url = await addressOf(running);
    await vi.waitFor(() => expect(running.output.stdout).toContain('SOLANA_RPC_URLS'), 120_000);
    expect((await fetch(`${url}/ready`)).status).toBe(503);
    const lines = running.output.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        code: 'RPC_UNAVAILABLE',
        msg: expect.stringMatching(/^cannot read the chain from SOLANA_RPC_URLS \(rpc-1: ECONNREFUSED/),
      },
    ]);
    expect(running.output.stdout + running.output.stderr).not.toContain('secret-key');
  });
});
