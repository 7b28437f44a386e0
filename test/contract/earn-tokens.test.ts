import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

interface Token {
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly verified: boolean;
  readonly tradingVolume24H: number | null;
  readonly priority: number;
}

let world: ContractWorld;
let all: readonly Token[];

const tokens = async (query: string) => (await world.get(`/tokens-api/tokens${query}`)).body as Token[];

beforeAll(async () => {
  world = await startContractWorld();
  all = await tokens('?limit=1000');
});
afterAll(() => world?.stop());

/** Volume downwards, unknown last; then priority; then mint. */
function comesBefore(a: Token, b: Token): boolean {
  const [volumeA, volumeB] = [a.tradingVolume24H ?? -1, b.tradingVolume24H ?? -1];
  if (volumeA !== volumeB) return volumeA > volumeB;
  return a.priority === b.priority ? a.mint < b.mint : a.priority < b.priority;
}

describe('the token list', () => {
  it('is ordered by volume, then priority, then mint, whatever the filter', async () => {
    for (const list of [all, await tokens('?verified=true&limit=1000'), await tokens('?symbol=kvUSDC')]) {
      expect(list.length).toBeGreaterThan(2);
      for (const [i, token] of list.slice(1).entries()) {
        expect(comesBefore(list[i] as Token, token), `${list[i]?.symbol}, ${token.symbol}`).toBe(true);
      }
    }
    expect(all.some(({ tradingVolume24H }) => tradingVolume24H === null)).toBe(true);
  });

  it('has 20 tokens unless a limit says otherwise', async () => {
    expect(await tokens('')).toEqual(all.slice(0, 20));
    expect(await tokens('?limit=1')).toEqual(all.slice(0, 1));
    expect(all.length).toBeGreaterThan(40);
  });

  it('omits unverified tokens only on request', async () => {
    const verified = await tokens('?verified=true&limit=1000');
    expect(verified).toEqual(all.filter((token) => token.verified));
    expect(verified.length).toBeLessThan(all.length);
    expect(await tokens('?verified=false&limit=1000')).toEqual(all);
  });

  it('finds a token by its mint, by its symbol in any case, and by both', async () => {
    const [usdc] = all.filter(({ symbol }) => symbol === 'USDC');
    expect(usdc).toMatchObject({ decimals: 6 });
    expect(await tokens(`?mint=${usdc?.mint}`)).toEqual([usdc]);
    expect(await tokens('?symbol=usdc')).toEqual([usdc]);
    expect(await tokens(`?mint=${usdc?.mint}&symbol=SOL`)).toEqual([]);
    expect(await tokens(`?mint=${world.localChain.addresses.wallet}`)).toEqual([]);
  });

  it('includes the shares of vaults', async () => {
    const { sharesMint } = world.localChain.addresses;
    const metadata = (await world.get(`/kvaults/mints/${sharesMint}/metadata`)).body as Token;
    const [shares] = await tokens(`?mint=${sharesMint}`);
    expect(shares).toMatchObject({ symbol: metadata.symbol, verified: false, tradingVolume24H: null });
  });
});
