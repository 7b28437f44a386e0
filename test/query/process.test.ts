import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

/** A process starts in seconds; on a busy machine in many. */
vi.setConfig({ testTimeout: 90_000 });

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

async function addressOf({ process: started, output, exited }: ReturnType<typeof start>): Promise<string> {
  for (;;) {
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output.stdout) ?? [];
    if (url !== undefined) return url;
    if (started.exitCode !== null) throw new Error(`it has ended: ${output.stderr}`);
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

describe('a process that is told to stop', () => {
  it('takes nothing new, finishes what it has begun, and exits with 0', async () => {
    const running = start({ PORT: '0', RECORDER: 'none' });
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
