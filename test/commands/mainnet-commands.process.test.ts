import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { programArgs } from '../support/processes/program-args.ts';
import { readDump } from '../support/real-bytes/account-sets.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of our commands to its end. */
function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { PATH, HOME, ...env } };
    const child = execFile(
      process.execPath,
      [...programArgs(program), ...args],
      options,
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('commands for mainnet', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-commands-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['dump', 'import-catalogue'])('%s explains its arguments', async (program) => {
    const { code, stderr } = await run(program, ['--unknown']);
    expect(code).toBe(2);
    expect(stderr).toContain(`npm run ${program} -- --`);
  });

  it('dump writes the accounts of a market', async () => {
    const localChain = unchangedChain();
    const rpc = await serveChain(localChain);
    const out = join(folder, 'dump');
    const args = ['--rpc', rpc.url, '--out', out, '--market', localChain.addresses.market];
    const { code, stdout } = await run('dump', args, { SOLANA_CLUSTER: 'localnet' });
    await rpc.close();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ accounts of [\d.]+ MB at slot \d+, in /)]);
    expect(readDump(out).accounts.has(localChain.addresses.market)).toBe(true);
  });

  it('import-catalogue ends with 1 and without a file when the deployment fails', async () => {
    const deployment = createServer((_, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => deployment.listen(0, '127.0.0.1', resolve));
    const from = `http://user:secret@127.0.0.1:${(deployment.address() as AddressInfo).port}`;
    const out = join(folder, 'catalogue.json');
    const { code, stdout, stderr } = await run('import-catalogue', ['--from', from, '--out', out]);
    deployment.closeAllConnections();
    deployment.close();
    expect([code, stdout]).toEqual([1, 'nothing imported: /v2/svc-market: status 404\n']);
    expect(stdout + stderr).not.toContain('secret');
    await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
