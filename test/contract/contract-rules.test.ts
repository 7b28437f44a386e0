import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';

const NOBODY = '11111111111111111111111111111111';
/** A name that would be markup, in the 40 bytes that a vault has for it. */
const NAME = '<img src=x onerror=alert(1)> & "co"';

function rename(localChain: TestChain): void {
  const { vault } = localChain.addresses;
  const name = new Uint8Array(40);
  name.set(new TextEncoder().encode(NAME));
  localChain.place(vault, withFields(vaultState, accountIn(localChain, vault), { name }));
}

let world: ChangingContractWorld;
beforeAll(async () => {
  world = await startChangingContractWorld({}, rename);
});
afterAll(() => world?.stop());

const read = async <T>(url: string) => (await world.get(url)).body as T;
type Fields = Readonly<Record<string, string | null>>;

interface Token {
  readonly mint: string;
  readonly symbol: string;
  readonly verified: boolean;
  readonly tradingVolume24H: number | null;
  readonly priority: number;
}

describe('tokens', () => {
  const tokens = (query = '') => read<readonly Token[]>(`/tokens-api/tokens${query}`);
  /** Volume falling, unknown last, then priority, then mint. */
  const sorted = (list: readonly Token[]) =>
    [...list].sort(
      (a, b) =>
        (b.tradingVolume24H ?? -1) - (a.tradingVolume24H ?? -1) ||
        a.priority - b.priority ||
        (a.mint < b.mint ? -1 : 1),
    );

  it('are the top 20 by volume unless a limit is given', async () => {
    const all = await tokens('?limit=1000');
    expect(all).toEqual(sorted(all));
    expect(await tokens()).toEqual(all.slice(0, 20));
    expect(await tokens('?limit=3')).toEqual(all.slice(0, 3));
    const lent = world.subjects.reserves.map(({ mint }) => mint);
    expect(all.map(({ mint }) => mint)).toEqual(expect.arrayContaining(lent));
  });

  it('are filtered in the same order', async () => {
    const all = await tokens('?limit=1000');
    expect(await tokens('?verified=true&limit=1000')).toEqual(all.filter(({ verified }) => verified));
    expect(await tokens('?verified=false&limit=1000')).toEqual(all);
    const same = all.filter(({ symbol }) => symbol.toLowerCase() === 'usdc');
    for (const symbol of ['USDC', 'usdc', 'uSdC']) expect(await tokens(`?symbol=${symbol}`)).toEqual(same);
    expect(same.length).toBeGreaterThan(0);
    expect(await tokens(`?mint=${world.subjects.addresses.emptyWallet}`)).toEqual([]);
  });
});

describe('vaults', () => {
  interface Vault {
    readonly address: string;
    readonly programId: string;
    readonly state: Readonly<Record<string, unknown>> & {
      readonly vaultAllocationStrategy: readonly Fields[];
    };
  }

  it('are those of the world, with their used allocations', async () => {
    const vaults = await read<readonly Vault[]>('/kvaults/vaults');
    const known = world.localChain.worldChain.world.vaults;
    expect(vaults.map(({ address }) => address).sort()).toEqual(known.map(({ address }) => address).sort());
    let withoutFarm = 0;
    for (const { address, farm, token, sharesMint, allocations } of known) {
      const shown = vaults.find((vault) => vault.address === address);
      expect(shown?.state).toMatchObject({
        tokenMint: token.mint.address,
        sharesMint: sharesMint.address,
        vaultFarm: farm?.address ?? NOBODY,
      });
      const used = shown?.state.vaultAllocationStrategy.map(({ reserve }) => reserve);
      expect(used).toEqual(allocations.map(({ reserve }) => reserve.address));
      expect(await read(`/kvaults/vaults/${address}`)).toEqual(shown);
      if (farm === null) withoutFarm += 1;
    }
    expect(withoutFarm).toBeGreaterThan(0);
  });
});

describe('share mints', () => {
  interface Metadata {
    readonly name: string;
    readonly image: string;
  }
  const metadataOf = (mint: string) => read<Metadata>(`/kvaults/mints/${mint}/metadata`);

  it('have an image at an absolute URL, which can be cached', async () => {
    for (const { sharesMint } of world.subjects.vaults) {
      const { image } = await metadataOf(sharesMint);
      expect(image).toBe(`http://sluice.test/kvaults/mints/${sharesMint}/metadata/image.svg`);
      const { status, headers } = await world.get(new URL(image).pathname);
      expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, 'image/svg+xml']);
      expect(headers.get('cache-control')).toMatch(/max-age=[1-9]/);
    }
  });

  it('have distinct images', async () => {
    const images = await Promise.all(
      world.subjects.vaults.map(
        async ({ sharesMint }) => (await world.get(`/kvaults/mints/${sharesMint}/metadata/image.svg`)).text,
      ),
    );
    expect(new Set(images).size).toBe(images.length);
  });

  it('return names unchanged, and escape markup in the image', async () => {
    const { sharesMint } = world.subjects.addresses;
    expect((await metadataOf(sharesMint)).name).toBe(NAME);
    const { text } = await world.get(`/kvaults/mints/${sharesMint}/metadata/image.svg`);
    expect(text).toContain('&lt;img');
    expect(text).not.toMatch(/<img|"co"|& /);
    expect(text).toContain('USDC');
  });
});

describe('rewards', () => {
  it.each(['/kvaults/rewards', '/klend/rewards'])(
    '%s: the current season unless another is named',
    async (path) => {
      const current = await read<readonly Fields[]>(path);
      expect(current.length).toBeGreaterThan(0);
      expect(await read(`${path}?source=Season1`)).toEqual(current);
      expect(await read(`${path}?source=Season0`)).toEqual([]);
      expect(await read(`${path}?source=season1`)).toEqual([]);
    },
  );

  it('for lending have null for the side that does not apply', async () => {
    const sides = (await read<readonly Fields[]>('/klend/rewards')).map(
      ({ depositReserve, borrowReserve }) => [depositReserve === null, borrowReserve === null],
    );
    expect(sides).toEqual(
      expect.arrayContaining([
        [false, true],
        [true, false],
      ]),
    );
    expect(sides).not.toContainEqual([true, true]);
  });
});

describe('markets', () => {
  it('are listed by their program, including those not in the catalogue', async () => {
    const all = await read<readonly Fields[]>('/v2/svc-market');
    expect(all.map(({ lendingMarket }) => lendingMarket).sort()).toEqual([...world.subjects.markets].sort());
    const klend = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
    expect(await read(`/v2/svc-market?programId=${klend}`)).toEqual(all);
    expect(await read(`/v2/svc-market?programId=${NOBODY}`)).toEqual([]);
    const unnamed = all.find(({ lendingMarket }) => lendingMarket === world.subjects.markets.at(-1));
    expect(unnamed).toMatchObject({ description: '', lookupTable: NOBODY, isPrimary: false });
    expect(all.filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
  });

  it('return the accounts of all requested markets', async () => {
    const { markets } = world.subjects;
    const url = `/svc-market/reserves/account-data?${markets.map((market) => `markets=${market}`).join('&')}`;
    const groups = await read<readonly { market: string; reserves: readonly unknown[] }[]>(url);
    expect(groups.map(({ market }) => market)).toEqual(markets);
    const count = groups.reduce((sum, { reserves }) => sum + reserves.length, 0);
    expect(count).toBe(world.subjects.reserves.length);
  });
});

describe('an empty wallet', () => {
  it('gets empty lists', async () => {
    const { emptyWallet, market } = world.subjects.addresses;
    expect(await read(`/kvaults/users/${emptyWallet}/positions`)).toEqual([]);
    expect(await read(`/svc-market/${market}/users/${emptyWallet}/obligations`)).toEqual([]);
  });
});
