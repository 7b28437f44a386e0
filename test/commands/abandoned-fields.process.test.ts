import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../support/processes/abandon-fields.ts', import.meta.url));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', 'tsx', SCRIPT, ...args], { encoding: 'utf8' });

it('fields that graphql-js has abandoned do not end the process when they fail', () => {
  const { status, stdout, stderr } = run();
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    data: { items: null },
    errors: [{ path: ['items', 1, 'failing'] }],
  });
});

it('any other unhandled rejection does', () => {
  const { status, stderr } = run('fault');
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('a fault')]);
});
