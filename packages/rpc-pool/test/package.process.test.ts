import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, applicationWith, exampleIn } from '../../protocol/test/support/application.ts';
import { stringifyExactJson } from '../src/transport/exact-json.ts';
import { accountsAt } from './support/fake-rpc.ts';
import { answer, type Script } from './support/scripted-rpc.ts';
import { serve } from './support/test-pools.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

let application: Application;

beforeAll(async () => {
  application = await applicationWith(PACKAGE);
});
afterAll(() => application.remove());

const TRUE_BLOCKHASH = '4mQRqTaxrN8vrNLkNHqG7V4Wj9CYNQ9EDdJ2bcdbTkSs';
const FALSE_BLOCKHASH = 'FwRYtTPRk5N4wUeP87rTw9kQVSwigB6kbikGzzeCMrW5';

/** An endpoint at a slot. */
const endpointAt =
  (slot: bigint, blockhash: string): Script =>
  (call) => {
    const value = { blockhash, lastValidBlockHeight: 7n };
    const result =
      call.method === 'getLatestBlockhash'
        ? { context: { slot }, value }
        : accountsAt(slot, call.params[0] as Address[], () => null);
    answer(stringifyExactJson(result))(call);
  };

it('has a module, types, a licence and a readme, no sources and no other package of ours', async () => {
  const { files, folder } = application;
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((name) => /^(src|test)|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  const modules = files.filter((name) => /\.(d\.ts|js)$/.test(name));
  for (const name of modules)
    expect(await readFile(join(folder, 'node_modules/@sluice/rpc-pool', name), 'utf8')).not.toMatch(
      /from ['"]@sluice\//,
    );
});

it('believes two endpoints of three, and prints the lines of its readme', async () => {
  const example = await exampleIn(`${PACKAGE}README.md`, 'Example');
  expect(example.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  const scripts = [
    endpointAt(9_000_000n, FALSE_BLOCKHASH),
    endpointAt(1_000n, TRUE_BLOCKHASH),
    endpointAt(1_000n, TRUE_BLOCKHASH),
  ];
  const servers = await Promise.all(scripts.map((script) => serve(script)));
  const urls = servers.map(({ url }) => url);
  const printed = await application.run('pool.js', example, urls);
  expect(printed).toBe(`rpc-1 is out of use: IMPLAUSIBLE_SLOT\n1000n ${TRUE_BLOCKHASH}\n`);
  expect(await readFile(`${PACKAGE}README.md`, 'utf8')).toContain(`\n\n\`\`\`\n${printed}\`\`\`\n`);
});
