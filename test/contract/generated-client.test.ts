import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compilerErrors } from '../support/contract/client-compiler.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sluice-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a strict compiler says about each file, with types of the committed document beside it. */
async function compile(files: readonly string[]): Promise<Record<string, string[]>> {
  const document = readFileSync(join(root, 'openapi.json'), 'utf8');
  writeFileSync(join(folder, 'sluice-rest.d.ts'), astToString(await openapiTS(document)));
  return compilerErrors(folder, files);
}

/** What the types must catch: a path, a parameter, a field and a word that are not documented. */
const MISTAKES: Readonly<Record<string, string>> = {
  'wrong-path.ts': `client.GET('/kvaults/vault');`,
  'wrong-parameter.ts': `client.GET('/kvaults/vaults/{pubkey}', { params: { path: { address: 'x' } } });`,
  'wrong-body.ts': `client.POST('/ktx/kvault/deposit', { body: { wallet: 'x', kvault: 'y' } });`,
  'wrong-word.ts': `client.GET('/kvaults/summary', { params: { query: { type: 'other' } } });`,
  'wrong-field.ts': `const { data } = await client.GET('/kvaults/vaults'); data?.[0]?.state.nothing;`,
};

describe('a client generated from openapi.json', () => {
  it('compiles in strict mode, and fails to compile when it is wrong', async () => {
    cpSync(join(root, 'docs/rest-client'), folder, { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [file, statement] of Object.entries(MISTAKES)) {
      writeFileSync(
        join(folder, file),
        `import { sluice } from './client.ts';\nconst client = sluice('');\n${statement}\n`,
      );
    }
    const right = ['client.ts', 'portfolio.ts'];
    const {
      'client.ts': client,
      'portfolio.ts': portfolio,
      ...wrong
    } = await compile([...right, ...Object.keys(MISTAKES)]);
    expect({ client, portfolio }).toEqual({ client: [], portfolio: [] });
    for (const [file, said] of Object.entries(wrong)) expect([file, said.length > 0]).toEqual([file, true]);
  });
});

describe('the documented client', () => {
  let world: ContractWorld;
  beforeAll(async () => {
    world = await startContractWorld();
  });
  afterAll(() => world?.stop());

  type Call = (client: unknown, ...given: readonly string[]) => Promise<unknown>;
  type Portfolio = Readonly<Record<'heldVaults' | 'openLoans' | 'bestReserve' | 'depositInstructions', Call>>;
  type Start = (baseUrl: string, fetch: ContractWorld['gateway']['app']['fetch']) => unknown;

  /** By a name that the compiler does not follow: its types exist only where they have been generated. */
  const load = async <T>(file: string) =>
    (await import(new URL(`../../docs/rest-client/${file}`, import.meta.url).href)) as T;

  const started = async () => {
    const { sluice } = await load<{ sluice: Start }>('client.ts');
    const portfolio = await load<Portfolio>('portfolio.ts');
    return { ...portfolio, client: sluice('http://sluice.test', world.gateway.app.fetch) };
  };

  it('reads a wallet, and builds for it', async () => {
    const { client, heldVaults, openLoans, bestReserve, depositInstructions } = await started();
    const { wallet, vault, market } = world.subjects.addresses;
    const vaults = (await heldVaults(client, wallet)) as readonly Record<string, string>[];
    expect(vaults.length).toBeGreaterThan(0);
    for (const { name, token, shares, sharePriceUsd, image } of vaults) {
      expect([name, token, shares, sharePriceUsd]).not.toContain('');
      expect(image).toMatch(/^http:\/\/sluice\.test\/kvaults\/mints\/\w+\/metadata\/image\.svg$/);
    }
    const loans = (await openLoans(client, wallet)) as readonly { ltv: number; liquidationLtv: number }[];
    expect(loans.length).toBeGreaterThan(0);
    for (const { ltv, liquidationLtv } of loans) expect(ltv).toBeLessThanOrEqual(liquidationLtv);
    const { best, account } = (await bestReserve(client, market)) as { best: object; account: string };
    expect(best).toMatchObject({ reserve: expect.any(String) });
    expect(Buffer.from(account, 'base64').length).toBe(8624);
    expect(await depositInstructions(client, wallet, vault, '1.5')).not.toEqual([]);
  });

  it('throws one error class, with the code', async () => {
    const { client, heldVaults, bestReserve, depositInstructions } = await started();
    const { wallet, vault, emptyWallet } = world.subjects.addresses;
    await expect(heldVaults(client, 'nobody')).rejects.toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    await expect(bestReserve(client, emptyWallet)).rejects.toMatchObject({ status: 500 });
    await expect(depositInstructions(client, wallet, vault, '0')).rejects.toMatchObject({
      status: 400,
      code: 'AMOUNT_NOT_POSITIVE',
    });
  });
});
