import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeKey } from '../../src/limits/keys/api-key.ts';
import { KeyDatabase } from '../../src/limits/keys/key-database.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { programArgs } from '../support/processes/program-args.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'a secret of the tests that has more than 32 characters';

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programArgs('alerts'), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run alerts', () => {
  it('explains itself, and says what is missing', () => {
    expect(run([])).toMatchObject({ status: 2, stderr: expect.stringContaining('npm run alerts -- list') });
    expect(run(['list'])).toMatchObject({ status: 1, stderr: expect.stringContaining('ALERT_SECRET') });
  });
});

describe.each(postgres())('npm run alerts on $name', (kind) => {
  it('registers and lists an alert', async () => {
    const database = await kind.open();
    try {
      const { key } = makeKey({ name: 'owner', limit: 0, origins: [] }, new Date());
      const keys = new KeyDatabase(database.url);
      await keys.add(key);
      await keys.close();
      const env = { DATABASE_URL: database.url, ALERT_SECRET: SECRET };
      const receiver = ['--url', 'https://hooks.example/', '--metric', 'DRIFT'];
      const created = run(['create', '--key', key.id, ...receiver], env);
      expect(created).toMatchObject({ status: 0, stdout: expect.stringMatching(/^whsec_[\w-]{43}\n/) });
      expect(run(['list'], env)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(
          new RegExp(`^[0-9a-f]{16} of key ${key.id}: DRIFT .* PENDING, to https`),
        ),
      });
      const refused = run(
        ['create', '--key', key.id, '--url', 'https://10.0.0.1/', '--metric', 'DRIFT'],
        env,
      );
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('not public') });
    } finally {
      await database.close();
    }
  });
});
