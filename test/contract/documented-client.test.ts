import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

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
    const loans = (await openLoans(client, wallet)) as readonly {
      ltv: number;
      liquidationLtv: number;
      collateral: readonly string[];
    }[];
    expect(loans.length).toBeGreaterThan(0);
    for (const { ltv, liquidationLtv } of loans) expect(ltv).toBeLessThanOrEqual(liquidationLtv);
    expect(loans.flatMap(({ collateral }) => collateral).length).toBeGreaterThan(0);
    const { best, account, depositLimit } = (await bestReserve(client, market)) as Record<string, string>;
    expect(best).toMatchObject({ reserve: expect.any(String) });
    expect(Number(depositLimit)).toBeGreaterThan(0);
    expect(Buffer.from(account ?? '', 'base64').length).toBe(8624);
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
