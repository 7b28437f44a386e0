import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const ACCOUNTS = '/svc-market/reserves/account-data';

let world: ContractWorld;
beforeAll(async () => {
  world = await startContractWorld();
});
afterAll(() => world?.stop());

async function read<T>(url: string): Promise<T> {
  const { status, body, text } = await world.get(url);
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
  return body as T;
}

type MarketConfig = { readonly lendingMarket: string; readonly name: string; readonly lookupTable: string };

describe('market configuration', () => {
  it('lists every market, including those not in the catalogue', async () => {
    const configs = await read<MarketConfig[]>('/v2/svc-market');
    expect(configs.map(({ lendingMarket }) => lendingMarket).sort()).toEqual(
      [...world.subjects.markets].sort(),
    );
    expect(configs.every(({ name }) => name !== '')).toBe(true);
    expect(configs.some(({ lookupTable }) => lookupTable === NO_ADDRESS)).toBe(true);
  });

  it('is the same by address as in the list', async () => {
    for (const config of await read<MarketConfig[]>('/v2/svc-market')) {
      expect(await read(`/v2/svc-market/${config.lendingMarket}`)).toEqual(config);
    }
  });

  it('uses the program as a filter of the list and as a condition on a single market', async () => {
    const { market } = world.subjects.addresses;
    const all = await read<MarketConfig[]>('/v2/svc-market');
    expect(await read(`/v2/svc-market?programId=${klend}`)).toEqual(all);
    expect(await read(`/v2/svc-market?programId=${kvault}`)).toEqual([]);
    const refused = await world.get(`/v2/svc-market/${market}?programId=${kvault}`);
    expect(refused.status).toBe(500);
    expect(refused.body).toEqual({
      error: `Market ${market} belongs to lending program ${klend}, not ${kvault}. Omit \`programId\`, or pass that one.`,
    });
  });
});

type Metrics = Readonly<Record<'reserve' | 'totalSupply' | 'totalBorrow', string>> &
  Readonly<Record<'totalSupplyUsd' | 'totalBorrowUsd' | 'maxLtv' | 'supplyApy' | 'borrowApy', string>>;

describe('reserve metrics', () => {
  it('value amounts at the price stored in the account', async () => {
    for (const market of world.subjects.markets) {
      for (const metrics of await read<Metrics[]>(`/svc-market/${market}/reserves/metrics`)) {
        const { liquidity, config } = accountOf(metrics.reserve);
        const price = parseDecimal(toSixtyBits(liquidity.marketPriceSf));
        const times = (amount: string) => toDecimalString(parseDecimal(amount).mul(price));
        expectClose(metrics.totalSupplyUsd, times(metrics.totalSupply));
        expectClose(metrics.totalBorrowUsd, times(metrics.totalBorrow));
        expect(Number(metrics.maxLtv)).toBe(config.loanToValuePct / 100);
        expect(Number(metrics.supplyApy)).toBeLessThanOrEqual(Number(metrics.borrowApy));
      }
    }
  });

  it('have every reserve of the market', async () => {
    for (const market of world.subjects.markets) {
      const listed = await read<Metrics[]>(`/svc-market/${market}/reserves/metrics`);
      const own = world.subjects.reserves.filter((each) => each.market === market);
      expect(listed.map(({ reserve }) => reserve).sort()).toEqual(own.map(({ address }) => address).sort());
    }
  });
});

function accountOf(address: string) {
  const { owner, data } = accountIn(world.localChain, address as Address);
  return reserveLayout.decode({ owner, data }, klend);
}

/** A scaled fraction, written by other means than the code under test. */
function toSixtyBits(sf: bigint): string {
  const scaled = ((sf * 10n ** 60n) >> 60n).toString().padStart(61, '0');
  return `${scaled.slice(0, -60)}.${scaled.slice(-60)}`;
}

function expectClose(actual: string, expected: string): void {
  expect(Math.abs(Number(actual) - Number(expected))).toBeLessThanOrEqual(1e-12 * Math.abs(Number(expected)));
}

type AccountData = {
  readonly market: string;
  readonly reserves: readonly { readonly pubkey: string; readonly data: string }[];
};

describe('account data', () => {
  it('is the whole account of every reserve, byte for byte', async () => {
    const query = world.subjects.markets.map((market) => `markets=${market}`).join('&');
    const entries = await read<AccountData[]>(`${ACCOUNTS}?${query}`);
    expect(entries.map(({ market }) => market)).toEqual(world.subjects.markets);
    const all = entries.flatMap(({ reserves }) => reserves);
    expect(all).toHaveLength(world.subjects.reserves.length);
    for (const { pubkey, data } of all) {
      const bytes = Buffer.from(data, 'base64');
      expect(bytes).toHaveLength(8624);
      expect(bytes.equals(accountIn(world.localChain, pubkey as Address).data)).toBe(true);
    }
  });

  it('has each market once, in the order of the request', async () => {
    const [first, second] = world.subjects.markets;
    const entries = await read<AccountData[]>(
      `${ACCOUNTS}?markets=${second}&markets=${first}&markets=${second}`,
    );
    expect(entries.map(({ market }) => market)).toEqual([second, first]);
  });

  it('has no reserves for unknown markets and for markets of another program', async () => {
    const { market, wallet } = world.subjects.addresses;
    expect(await read(`${ACCOUNTS}?markets=${wallet}`)).toEqual([{ market: wallet, reserves: [] }]);
    expect(await read(`${ACCOUNTS}?markets=${market}&programId=${kvault}`)).toEqual([
      { market, reserves: [] },
    ]);
  });

  it('accepts a hundred markets and no more', async () => {
    const { wallet } = world.subjects.addresses;
    const query = (count: number) => `${ACCOUNTS}?${`markets=${wallet}&`.repeat(count)}`;
    expect(await read(query(100))).toHaveLength(1);
    const refused = await world.get(query(101));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('more than 100 addresses');
  });
});

describe('lending rewards', () => {
  it('pay on one side or the other', async () => {
    const rewards = await read<Readonly<Record<string, string | null>>[]>('/klend/rewards');
    expect(rewards.map(({ depositReserve, borrowReserve }) => [depositReserve, borrowReserve])).toEqual([
      [expect.any(String), null],
      [null, expect.any(String)],
    ]);
    for (const { apy, activePositionsUsd, tokensPerSecond } of rewards) {
      // The reward token is worth about one dollar.
      const yearly = (Number(tokensPerSecond) * 31_536_000) / Number(activePositionsUsd);
      expect(Number(apy)).toBeCloseTo((1 + yearly / 365) ** 365 - 1, 4);
    }
  });

  it('default to the current source, and are empty for an unknown one', async () => {
    expect(await read('/klend/rewards')).toEqual(await read('/klend/rewards?source=Season1'));
    expect(await read('/klend/rewards?source=nobody')).toEqual([]);
    expect((await world.get('/klend/rewards?source=a&source=b')).status).toBe(400);
  });
});
