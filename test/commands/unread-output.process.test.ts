import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/databases/redis-server.ts';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LONG = 300_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program whose output nobody reads. */
async function unread(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [...programArgs(program), ...args], {
    cwd: ROOT,
    env: { ...process.env, KEYS_DIR: folder, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, complaints };
}

describe('a command whose reader has closed the pipe', () => {
  it.each([
    ['keys create', 'keys', ['create', '--name', 'Front end', '--limit', '0'], 0],
    ['keys list', 'keys', ['list'], 0],
    ['doctor', 'doctor', ['--json'], 0],
  ])('%s ends quietly', { timeout: LONG }, async (_, program, args, code) => {
    expect(await unread(program, args)).toEqual({ code, complaints: '' });
  });
});

/** A gateway that listens, with its standard output. */
async function startGateway(stdout: 'pipe' | number) {
  const port = await freePort();
  const child = spawn(process.execPath, programArgs('main'), {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      RECORDER: 'none',
      DRAIN_MS: '0',
      DATA_DIR: join(folder, 'data'),
      // Logs each answer of /health.
      LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });
  // Ends the reads below if the gateway is gone.
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const status = async () => (await fetch(`http://127.0.0.1:${port}/health`)).status;
  await Promise.race([vi.waitFor(status, { timeout: LONG, interval: 100 }), exited]);
  return { child, exited, status, complaints: () => complaints };
}

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Answers once more, then ends as asked. */
async function expectToServeAndStop({ child, exited, status, complaints }: Gateway): Promise<void> {
  try {
    expect({ exitCode: child.exitCode, complaints: complaints() }).toEqual({
      exitCode: null,
      complaints: '',
    });
    expect(await status()).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(complaints()).toBe('');
  } finally {
    child.kill('SIGKILL');
  }
}

describe('a gateway serves, and stops when asked', { timeout: LONG }, () => {
  it('after the reader of its log has closed the pipe', async () => {
    const gateway = await startGateway('pipe');
    gateway.child.stdout?.destroy();
    await expectToServeAndStop(gateway);
  });

  it('while the reader of its log takes nothing', async () => {
    const gateway = await startGateway('pipe');
    // Nothing reads: each answer leaves a line, which fills what the system keeps for a pipe.
    for (let answers = 0; answers < 3_000; answers += 1) await gateway.status();
    await expectToServeAndStop(gateway);
  });

  it('while the disk of its log is full', async () => {
    const full = await open('/dev/full', 'w');
    const gateway = await startGateway(full.fd);
    await full.close();
    await expectToServeAndStop(gateway);
  });
});
