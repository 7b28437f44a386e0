import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, applicationWith } from '../../protocol/test/support/application.ts';

const TYPESCRIPT = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const run = promisify(execFile);

let application: Application;

beforeAll(async () => {
  application = await applicationWith(fileURLToPath(new URL('..', import.meta.url)));
});
afterAll(() => application.remove());

async function call(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result?: unknown }).result;
}

it('has modules, types, a licence and a readme, and no sources', async () => {
  const { folder, files } = application;
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/cli.js', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(files.filter((name) => /^src|\.tsx?$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
  expect(await readdir(join(folder, 'node_modules/@sluice'))).toEqual(['localnet']);
});

it('npx sluice-localnet runs a chain that tests control', async () => {
  const command = spawn('npx', ['sluice-localnet', '--port', '0', '--frozen', '--json'], {
    cwd: application.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    // npx runs the command in a child, which a signal to the group reaches too.
    detached: true,
  });
  const exit = once(command, 'exit');
  try {
    let output = '';
    for await (const chunk of command.stdout.iterator({ destroyOnReturn: false })) {
      output += String(chunk);
      if (output.endsWith('\n')) break;
    }
    const { rpcUrl, wallet } = JSON.parse(output) as { readonly rpcUrl: string; readonly wallet: string };
    expect(await call(rpcUrl, 'getHealth')).toBe('ok');
    const { value: before } = (await call(rpcUrl, 'getBalance', wallet)) as { readonly value: number };
    await call(rpcUrl, 'requestAirdrop', wallet, 1_000_000_000);
    expect(await call(rpcUrl, 'getBalance', wallet)).toMatchObject({ value: before + 1_000_000_000 });
    const slot = Number(await call(rpcUrl, 'getSlot'));
    expect(await call(rpcUrl, 'localnet_advanceTime', 60)).toBe(slot + 150);
  } finally {
    if (command.pid !== undefined) process.kill(-command.pid, 'SIGTERM');
    await exit;
  }
});

const SCRIPT = `
import { startLocalnet } from '@sluice/localnet';
const localnet = await startLocalnet({ seed: 'other' });
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
const slotOf = async () =>
  (await (await fetch(localnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()).result;
const before = await slotOf();
localnet.advance(60);
process.stdout.write(JSON.stringify([(await slotOf()) - before, localnet.secretKey.length]));
await localnet.stop();
`;

it('starts in the process of a test', async () => {
  expect(JSON.parse(await application.run('script.mjs', SCRIPT))).toEqual([150, 64]);
});

const TYPED = `
import { type Localnet, startLocalnet } from '@sluice/localnet';
import type { Address } from '@solana/kit';
const localnet: Localnet = await startLocalnet({ seed: 'my-app', scale: 1 });
export const wallet: Address = localnet.addresses.wallet;
export const slot: bigint = localnet.advance(60);
localnet.setEmergencyMode(localnet.addresses.market, true);
// @ts-expect-error a price is decimal text
localnet.setPrice('SOL', 20);
// @ts-expect-error there is no such option
await startLocalnet({ frosen: true });
`;

it.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('has types for an application with moduleResolution %s', async (moduleResolution, module) => {
  await writeFile(join(application.folder, 'typed.ts'), TYPED);
  const options = ['--strict', '--noEmit', '--target', 'es2023', '--lib', 'es2023,dom'];
  const flags = [...options, '--skipLibCheck', '--module', module, '--moduleResolution', moduleResolution];
  const { stdout } = await run(process.execPath, [TYPESCRIPT, ...flags, 'typed.ts'], {
    cwd: application.folder,
  }).catch((failure: { stdout: string }) => failure);
  expect(stdout).toBe('');
});
