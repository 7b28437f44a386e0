import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { vaultState } from '../src/kvault/vault-state.ts';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '../src/program-ids.ts';
import { type Application, applicationWith, exampleIn } from './support/application.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

let application: Application;
let rpc: Server;

beforeAll(async () => {
  application = await applicationWith(PACKAGE);
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
  await application.remove();
});

it('has modules, types, a licence and a readme, and no sources', () => {
  const { files } = application;
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/klend/reserve.d.ts']),
  );
  expect(files.filter((name) => /^(src|test)|(?<!\.d)\.ts$/.test(name))).toEqual([]);
});

it('decodes a vault with the ten lines of its readme', async () => {
  const example = await exampleIn(`${PACKAGE}README.md`, 'Decode a vault');
  expect(example.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  const { port } = rpc.address() as AddressInfo;
  // Plain JavaScript.
  const printed = await application.run('decode.js', example, [
    `http://127.0.0.1:${port}`,
    '67dqmR76uAbjX6e81A1ganKv3ou31WTMEdeWJkwVfeXy',
  ]);
  expect(printed).toBe(`${WRAPPED_SOL_MINT} 1234n 2.5\n`);
});
