import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compilerErrors } from '../support/contract/client-compiler.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';
import { type Site, serveSite } from '../support/http/browser.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

interface Page {
  readonly vaults: readonly Readonly<Record<string, string | undefined>>[];
  readonly loans: readonly { readonly netValueUsd: string }[];
  readonly rewards: readonly object[];
}

interface PageModule {
  readonly sluice: (baseUrl: string) => unknown;
  readonly portfolioPage: (client: unknown, wallet: string) => Promise<Page>;
}

/** Each page with the file that starts its client. */
const PAGES = { 'page-fetch.ts': 'client.ts', 'page-sdk.ts': 'page-sdk.ts' };

describe('a portfolio page with clients generated from /openapi.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pages-'));
  let world: ContractWorld;
  let site: Site;

  beforeAll(async () => {
    world = await startContractWorld();
    site = await serveSite(world.gateway.app.fetch);
    cpSync(join(root, 'docs/rest-client'), folder, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const document = `${site.origin}/openapi.json`;
    writeFileSync(join(folder, 'sluice-rest.d.ts'), astToString(await openapiTS(new URL(document))));
    const command = join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [command, '-i', document, '-o', 'sluice-sdk', '--no-log-file'], {
      cwd: folder,
    });
  });
  afterAll(async () => {
    await site?.close();
    await world?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Bundles a page as an application would, and loads it. */
  async function load(page: string, client: string): Promise<PageModule> {
    const outfile = join(folder, `${page}.bundle.mjs`);
    const contents = `export { sluice } from './${client}';\nexport { portfolioPage } from './${page}';\n`;
    const stdin = { contents, resolveDir: folder };
    await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' });
    return (await import(pathToFileURL(outfile).href)) as PageModule;
  }

  it('compiles in strict mode, and fails to compile when it is wrong', () => {
    const page = readFileSync(join(folder, 'page-sdk.ts'), 'utf8');
    writeFileSync(join(folder, 'wrong-field.ts'), page.replaceAll('page.result', 'page.results'));
    writeFileSync(
      join(folder, 'wrong-parameter.ts'),
      page.replaceAll('path: { wallet }', 'path: { user: wallet }'),
    );
    const {
      'wrong-field.ts': field,
      'wrong-parameter.ts': parameter,
      ...right
    } = compilerErrors(folder, [
      'page.ts',
      ...Object.keys(PAGES),
      'sluice-sdk/sdk.gen.ts',
      'sluice-sdk/types.gen.ts',
      'wrong-field.ts',
      'wrong-parameter.ts',
    ]);
    expect(Object.values(right).flat()).toEqual([]);
    expect(field).toEqual([expect.stringContaining("'results' does not exist")]);
    expect(parameter?.length).toBeGreaterThan(0);
  });

  it('shows the same values with both, over HTTP', async () => {
    const { wallet, emptyWallet } = world.subjects.addresses;
    const shown: Page[] = [];
    for (const [page, client] of Object.entries(PAGES)) {
      const { sluice, portfolioPage } = await load(page, client);
      shown.push(await portfolioPage(sluice(site.origin), wallet));
      expect(await portfolioPage(sluice(site.origin), emptyWallet)).toEqual({
        vaults: [],
        loans: [],
        rewards: [],
      });
      await expect(portfolioPage(sluice(site.origin), 'nobody')).rejects.toBeDefined();
    }
    const [first, second] = shown;
    expect(first).toEqual(second);
    const { body: positions } = await world.get(`/kvaults/users/${wallet}/positions`);
    const apys: string[] = [];
    let valueUsd = 0;
    for (const { vaultAddress, totalShares } of positions as Record<string, string>[]) {
      const { body: metrics } = await world.get(`/kvaults/vaults/${vaultAddress}/metrics`);
      const { sharePrice, apy = '' } = metrics as Record<string, string>;
      apys.push(apy);
      valueUsd += Number(totalShares) * Number(sharePrice);
    }
    const vaults = first?.vaults ?? [];
    expect(apys.length).toBeGreaterThan(0);
    expect(vaults.map(({ apy }) => apy).sort()).toEqual(apys.sort());
    const shownUsd = vaults.reduce((sum, { netValueUsd }) => sum + Number(netValueUsd), 0);
    expect(shownUsd / valueUsd).toBeCloseTo(1, 9);
    expect(first?.rewards.length).toBeGreaterThan(0);
    expect(first?.loans.length).toBeGreaterThan(0);
    for (const { netValueUsd } of first?.loans ?? []) expect(Number(netValueUsd)).toBeGreaterThan(0);
  });

  it('has short type names', () => {
    const types = readFileSync(join(folder, 'sluice-sdk/types.gen.ts'), 'utf8');
    const { schemas } = (
      JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as { components: { schemas: object } }
    ).components;
    const names = [...types.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(schemas)));
    expect(names.filter((name) => name.length > 48)).toEqual([]);
  });
});
