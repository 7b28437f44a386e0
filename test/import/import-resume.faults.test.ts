import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { programArgs } from '../support/processes/program-args.ts';
import { type FakeDeployment, startFakeDeployment } from './fake-deployment.ts';
import { everythingStored, importFrom } from './import-runs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe.each(databases().slice(0, 1))('an import that is killed', (kind) => {
  let fake: FakeDeployment;
  let history: HistoryDatabase;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    fake = await startFakeDeployment();
    history = await openHistory(kind);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await history.drop();
    await fake.close();
  });

  /** Runs the command in a child process. */
  async function run(args: readonly string[] = []) {
    const { PATH = '', HOME = '' } = process.env;
    const command = [...programArgs('import-history'), '--from', fake.url, '--rate', '100', ...args];
    const started = spawn(process.execPath, command, {
      cwd: ROOT,
      env: { PATH, HOME, DATABASE_URL: history.url, KEEP_HOURS_DAYS: '36500' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let output = '';
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code, signal] = (await once(started, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, output };
  }

  it('resumes where it stopped, with the same result as an uninterrupted import', async () => {
    const asked: string[][] = [];
    for (const killAt of [5, 9, 7]) {
      fake.requests.length = 0;
      fake.fault = (_, index) => {
        if (index === killAt) child?.kill('SIGKILL');
        return undefined;
      };
      expect(await run()).toMatchObject({ code: null, signal: 'SIGKILL' });
      asked.push(fake.requests.filter((path) => path.includes('/history')));
    }
    // Hours written before the kill are not requested again.
    const [first = [], second = []] = asked.map((paths) => paths.filter((path) => !path.includes('=1970')));
    expect(first).toHaveLength(2);
    expect(second).not.toContain(first[0]);
    fake.fault = () => undefined;
    const last = await run();
    expect(last.output).toContain('0 not imported');
    expect(last.code).toBe(0);
    const other = await openHistory(kind);
    await importFrom(fake.url, other.url, { now: new Date() });
    expect(await everythingStored(history.db)).toEqual(await everythingStored(other.db));
    await other.drop();
  });

  it('exits with 1 when a subject was unavailable, and with 2 and its usage for invalid arguments', async () => {
    fake.fault = (path) => (path === '/kvaults/vaults' ? { status: 403 } : undefined);
    const failed = await run(['--start', '2026-04-19']);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.output).toMatch(/3 of 3: reserve \w+: \d+ hours, \d+ days/);
    const refused = await run(['--only', 'tokens']);
    expect(refused.code).toBe(2);
    expect(refused.output).toContain('--only vaults|reserves|markets');
  });
});
