import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
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

describe('a gateway whose reader has closed the pipe', () => {
  it('keeps running', { timeout: LONG }, async () => {
    const port = await freePort();
    const child = spawn(process.execPath, programArgs('main'), {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), RECORDER: 'none', DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += String(chunk);
    });
    const exited = once(child, 'exit');
    try {
      // It writes its first line as soon as it listens.
      const answered = vi.waitFor(() => fetch(`http://127.0.0.1:${port}/health`), {
        timeout: LONG,
        interval: 100,
      });
      await Promise.race([answered, exited]);
      expect({ exitCode: child.exitCode, complaints }).toEqual({ exitCode: null, complaints: '' });
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
});
