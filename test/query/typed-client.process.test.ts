import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDeposit } from '../../docs/typed-client/deposit.ts';
import { positionValues } from '../../docs/typed-client/wallet.ts';
import { requestListener } from '../../src/http/server.ts';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';

let gateway: TestEmbeddedApp;
const server = createServer((request, response) => requestListener(gateway.app.fetch)(request, response));

beforeAll(async () => {
  gateway = await startEmbeddedApp();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.close();
  await gateway?.app.stop();
});

it('the documented client reads a wallet from a gateway', async () => {
  const { port } = server.address() as AddressInfo;
  const values = await positionValues(`http://127.0.0.1:${port}/graphql`, gateway.addresses.wallet);
  expect(values.length).toBeGreaterThanOrEqual(2);
  for (const value of values) expect(Number(value)).toBeGreaterThan(0);
});

it('the documented client builds a deposit, and tells why one is refused', async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;
  const { wallet, vault, market } = gateway.addresses;
  const [transaction] = await buildDeposit(url, { wallet, vault, amount: { tokens: '1' } });
  expect(Buffer.from(transaction ?? '', 'base64').length).toBeGreaterThan(200);
  await expect(buildDeposit(url, { wallet, vault, amount: { tokens: '0' } })).rejects.toThrow(
    /^AMOUNT_NOT_POSITIVE: /,
  );
  await expect(buildDeposit(url, { wallet, vault: market, amount: { tokens: '1' } })).rejects.toThrow(
    /^KVAULT_NOT_FOUND: /,
  );
});

const ROOT = new URL('../../', import.meta.url);
/** Generous: a compiler and two interpreters start one after another on a machine that may be busy. */
const COMMANDS_MS = 900_000;

describe('docs/typed-client.md', async () => {
  const page = await readFile(new URL('docs/typed-client.md', ROOT), 'utf8');
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language, text = '']) => ({
    language,
    text,
  }));
  const blockOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.text ?? '';

  it('shows the example that is compiled and run', async () => {
    expect(blockOf('ts')).toBe(await readFile(new URL('docs/typed-client/wallet.ts', ROOT), 'utf8'));
  });

  it(
    'has commands that work in an empty folder',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluice-typed-client-'));
      const { port } = server.address() as AddressInfo;
      const here = (text: string) => text.replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${port}`);
      try {
        // In place of the installation, which needs a registry.
        await symlink(fileURLToPath(new URL('node_modules', ROOT)), join(folder, 'node_modules'));
        await writeFile(join(folder, 'package.json'), '{}');
        await writeFile(join(folder, 'tsconfig.json'), here(blockOf('json')));
        await writeFile(join(folder, 'wallet.ts'), blockOf('ts'));
        const [install, use] = blocks.filter(({ language }) => language === 'sh');
        expect(install?.text).toMatch(
          /^npm install graphql gql\.tada\nnpm install --save-dev typescript tsx\n$/,
        );
        const run = promisify(execFile);
        const { stdout } = await run('sh', ['-ec', here(use?.text ?? '')], { cwd: folder });
        const [, values = ''] = /(\[[\s\S]*\])\s*$/.exec(stdout) ?? [];
        expect(values.match(/'\d+\.\d+'/g)?.length).toBeGreaterThanOrEqual(2);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    COMMANDS_MS,
  );
});
