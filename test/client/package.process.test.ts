import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  json,
  type ScriptedGateway,
  startScriptedGateway,
} from '../../packages/client/test/support/scripted-gateway.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'packages/client');
const run = promisify(execFile);

/** An application that has installed the package. */
let application: string;
let gateway: ScriptedGateway;

beforeAll(async () => {
  gateway = await startScriptedGateway();
  application = await mkdtemp(join(tmpdir(), 'sluice-consumer-'));
  await run('npm', ['run', 'build'], { cwd: PACKAGE });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', application], { cwd: PACKAGE });
  const [tarball = expect.fail()] = (await readdir(application)).filter((name) => name.endsWith('.tgz'));
  const installed = join(application, 'node_modules/@sluice/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(application, tarball), '-C', installed, '--strip-components=1']);
  await writeFile(join(application, 'package.json'), '{ "type": "module" }');
  await install('gql.tada', '@0no-co/graphql.web');
});
afterAll(async () => {
  await rm(application, { recursive: true, force: true });
  await gateway?.close();
});

async function install(...packages: readonly string[]): Promise<void> {
  for (const name of packages) {
    const link = join(application, 'node_modules', name);
    if (existsSync(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), link);
  }
}

const SCRIPT = `
import { createClient, Decimal, graphql } from '@sluice/client';
const SLOT = graphql('query Slot { chain { slot } }');
const { data } = await createClient({ url: process.argv[2] }).query(SLOT, {});
process.stdout.write(Decimal.of(data.chain.slot).format({ locale: 'en' }));
`;

it('has modules, types, a licence and a readme, and no sources', async () => {
  const files = await readdir(join(application, 'node_modules/@sluice/client'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((name) => /^src|\.tsx?$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
});

it('runs in Node.js with its dependencies only: without kit, React or graphql', async () => {
  gateway.reply(json(200, { data: { chain: { slot: '1234567' } } }));
  await writeFile(join(application, 'script.mjs'), SCRIPT);
  const { stdout } = await run(process.execPath, ['script.mjs', gateway.url], { cwd: application });
  expect(stdout).toBe('1,234,567');
});

it('adds nothing to a page but what the page uses', async () => {
  const { metafile } = await build({
    stdin: { contents: SCRIPT, resolveDir: application },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    metafile: true,
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
  );
  const foreign = files.filter((name) => !/@sluice\/client|gql\.tada|graphql\.web|<stdin>/.test(name));
  expect(foreign).toEqual([]);
  expect(files.filter((name) => /actions|rest-builders|signers/.test(name))).toEqual([]);
});

const TYPED = `
import { type Action, createClient, graphql, type ErrorCode, hasCode, runAction } from '@sluice/client';
import { kitSigner } from '@sluice/client/kit';
import { useSluiceQuery } from '@sluice/client/react';
import { startGateway } from '@sluice/client/testing';

const VAULT = graphql('query Vault($address: Address!) { vault(address: $address) { name totalValue { usd } } }');
const client = createClient({ url: 'http://127.0.0.1:4000' });
const { data } = await client.query(VAULT, { address: 'x' });
export const usd: string | null | undefined = data.vault?.totalValue?.usd;
// @ts-expect-error a name is a string
export const name: number | undefined = data.vault?.name;
// @ts-expect-error the address is missing
await client.query(VAULT, {});
// @ts-expect-error there is no such code
export const code: ErrorCode = 'NO_SUCH_CODE';
// @ts-expect-error an amount is given in one way
export const action: Action = { vaultDeposit: { wallet: 'x', vault: 'y', amount: {} } };
const gateway = await startGateway();
await runAction(gateway.client, { vaultWithdraw: { wallet: 'x', vault: 'y', amount: { all: 'ALL' } } }, kitSigner(gateway.wallet.keyPair));
export const gone = (error: unknown): boolean => hasCode(error, 'VIEW_GONE');
export const useVault = () => useSluiceQuery(VAULT, { address: 'x' }).data?.data.vault?.name satisfies string | undefined;
`;

it.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('has types for an application with moduleResolution %s', async (moduleResolution, module) => {
  await install('@solana/kit', '@tanstack/react-query', '@types/react', '@types/node', 'react');
  await writeFile(join(application, 'typed.ts'), TYPED);
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom'];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const flags = [...options, '--module', module, '--moduleResolution', moduleResolution, '--types', 'node'];
  const { stdout } = await run(process.execPath, [compiler, ...flags, 'typed.ts'], {
    cwd: application,
  }).catch((failure: { stdout: string }) => failure);
  expect(stdout).toBe('');
});
