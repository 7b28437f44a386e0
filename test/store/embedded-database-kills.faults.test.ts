import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startTestPglite } from '../support/databases/test-databases.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Kills a writing process with -9 after so many rows. Returns the last number acknowledged to it. */
async function writeUntilKilled(dataDir: string, rows: number): Promise<number> {
  const writer = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/support/databases/endless-writer.ts', dataDir],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let said = '';
  let killed = false;
  writer.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (!killed && said.split('\n').length > rows) killed = writer.kill('SIGKILL');
  });
  await new Promise((done) => writer.once('close', done));
  return Number(said.trimEnd().split('\n').at(-1));
}

it('the embedded database has every acknowledged row after each of several kills', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-killed-'));
  let acknowledged = 0;
  for (const rows of [40, 90, 25]) {
    acknowledged = await writeUntilKilled(dataDir, rows);
    const embedded = await startTestPglite(dataDir);
    const reading = new Client({ connectionString: embedded.url });
    await reading.connect();
    const { rows: found } = await reading.query('SELECT count(*)::int AS count, max(id) AS last FROM row');
    // The row in progress when the process died may exist or not, but none before it is missing.
    expect(found[0].count).toBe(found[0].last);
    expect(found[0].last).toBeGreaterThanOrEqual(acknowledged);
    expect(found[0].last).toBeLessThanOrEqual(acknowledged + 1);
    await reading.end();
    await embedded.stop();
  }
  expect(acknowledged).toBeGreaterThan(150);
  await rm(dataDir, { recursive: true });
});
