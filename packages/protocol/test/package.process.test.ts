import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { vaultState } from '../src/kvault/vault-state.ts';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '../src/program-ids.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const run = promisify(execFile);

/** An application that has installed the package. */
let application: string;
let rpc: Server;

beforeAll(async () => {
  application = await mkdtemp(join(tmpdir(), 'sluice-protocol-'));
  await run('npm', ['run', 'build'], { cwd: PACKAGE });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', application], { cwd: PACKAGE });
  const [tarball = expect.fail()] = (await readdir(application)).filter((name) => name.endsWith('.tgz'));
  const installed = join(application, 'node_modules/@sluice/protocol');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(application, tarball), '-C', installed, '--strip-components=1']);
  for (const name of ['@solana', 'lru-cache'])
    await symlink(join(MODULES, name), join(application, 'node_modules', name));
  const account = vaultState.encode({
    tokenMint: WRAPPED_SOL_MINT,
    sharesIssued: 1_234n,
    prevAumSf: 5n << 59n,
  });
  rpc = createServer((_, response) => {
    const value = {
      owner: MAINNET_PROGRAMS.kvault,
      data: [Buffer.from(account).toString('base64'), 'base64'],
      lamports: 1,
      executable: false,
      space: account.length,
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: '0', result: { context: { slot: 1 }, value } }));
  });
  await once(rpc.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  rpc?.close();
  await rm(application, { recursive: true, force: true });
});

it('has modules, types, a licence and a readme, and no sources', async () => {
  const files = await readdir(join(application, 'node_modules/@sluice/protocol'), { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/klend/reserve.d.ts']),
  );
  expect(files.filter((name) => /^(src|test)|(?<!\.d)\.ts$/.test(name))).toEqual([]);
});

it('decodes a vault with the ten lines of its readme', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const [, example = expect.fail()] = /## Decode a vault\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
  expect(example.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  // Plain JavaScript.
  await writeFile(join(application, 'package.json'), '{ "type": "module" }');
  await writeFile(join(application, 'decode.js'), example);
  const { port } = rpc.address() as AddressInfo;
  const { stdout } = await run(
    process.execPath,
    ['decode.js', `http://127.0.0.1:${port}`, '67dqmR76uAbjX6e81A1ganKv3ou31WTMEdeWJkwVfeXy'],
    { cwd: application },
  );
  expect(stdout).toBe(`${WRAPPED_SOL_MINT} 1234n 2.5\n`);
});
