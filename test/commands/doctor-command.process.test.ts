import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { programArgs } from '../support/processes/program-args.ts';

describe('doctor', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [...programArgs('doctor'), ...args],
        { cwd: root, env: { PATH: process.env.PATH, ...env } },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
      );
    });

  it('exits with 1 on a fault, as text or as JSON', async () => {
    const words = await run([], { VIEWS_KEPT: 'many' });
    expect(words.code).toBe(1);
    expect(words.out).toMatch(/^fault +settings valid +VIEWS_KEPT: must be a whole number/);
    const json = await run(['--json'], { VIEWS_KEPT: 'many' });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ faults: 1, findings: [{ subject: 'settings' }] });
  });

  it('prints its usage for an option that it does not know', async () => {
    expect(await run(['--help'], {})).toEqual({ code: 2, out: '', err: 'npm run doctor -- [--json]\n' });
  });
});
