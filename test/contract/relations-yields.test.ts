import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedWorld, startRecordedWorld } from '../support/contract/recorded-app.ts';

interface Listed {
  readonly apy: string;
  readonly tokenMint: string;
}

interface Point {
  readonly createdOn: string;
  readonly apr: string;
  readonly apy: string;
}

interface Epoch {
  readonly epoch: number;
  readonly firstSlot: number;
  readonly lastSlot: number;
  readonly startBlockTime: string;
  readonly endBlockTime: string;
}

interface Both {
  readonly createdOn: string;
  readonly borrowInterestApy: string;
  readonly stakingApy: string;
}

/** Epochs of two days, as the localnet has. */
const EPOCHS_PER_YEAR = 182.5;

let world: RecordedWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const read = async <T>(url: string): Promise<T> => {
  const { status, body } = await world.get(url);
  expect([url, status]).toEqual([url, 200]);
  return body as T;
};

const mid = (sorted: readonly number[]) =>
  ((sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;

describe('staking yields', () => {
  it('have a median between the extremes and the mean of the epochs that the graph lists', async () => {
    const [latest, median, mean] = await Promise.all(
      ['', '/median', '/mean'].map((end) => read<Listed[]>(`/v2/staking-yields${end}`)),
    );
    expect(latest?.length).toBeGreaterThan(1);
    const { data } = await world.gateway.query<{
      tokens: {
        nodes: { mint: string; stakingYield: { epochs: { apr: string; apy: string }[] } | null }[];
      };
    }>('{ tokens(first: 100) { nodes { mint stakingYield { epochs { apr apy } } } } }');
    for (const { mint, stakingYield } of data.tokens.nodes) {
      const of = (list: readonly Listed[] | undefined) =>
        Number(list?.find(({ tokenMint }) => tokenMint === mint)?.apy);
      if (stakingYield === null) {
        expect(of(latest)).toBeNaN();
        continue;
      }
      const apys = stakingYield.epochs.map(({ apy }) => Number(apy));
      expect(apys).toHaveLength(10);
      expect(of(latest)).toBe(apys.at(-1));
      expect(of(median)).toBeCloseTo(mid(apys.toSorted((a, b) => a - b)), 14);
      expect(of(median)).toBeGreaterThanOrEqual(Math.min(...apys));
      expect(of(median)).toBeLessThanOrEqual(Math.max(...apys));
      expect(of(mean)).toBeCloseTo(apys.reduce((a, b) => a + b) / apys.length, 14);
      for (const { apr, apy } of stakingYield.epochs) {
        expect(Number(apy)).toBeCloseTo((1 + Number(apr) / EPOCHS_PER_YEAR) ** EPOCHS_PER_YEAR - 1, 10);
      }
    }
  });

  it('end their history with the current yield, also beside the borrow APY of a reserve', async () => {
    const { market, stakedReserve, stakedMint } = world.localChain.addresses;
    const points = await read<Point[]>(`/yields/${stakedMint}/history`);
    const list = await read<Listed[]>('/v2/staking-yields');
    const medians = await read<Listed[]>('/v2/staking-yields/median');
    const current = (of: readonly Listed[]) => of.find(({ tokenMint }) => tokenMint === stakedMint)?.apy;
    expect(points.length).toBeGreaterThan(20);
    expect(points.at(-1)?.apy).toBe(current(list));
    const url = `/svc-market/${market}/reserves/${stakedReserve}/borrow-and-staking-apys/history`;
    const [both, median] = await Promise.all([read<Both[]>(url), read<Both[]>(`${url}/median`)]);
    expect(both.map(({ createdOn, stakingApy }) => [createdOn, stakingApy])).toEqual(
      points.map(({ createdOn, apy }) => [createdOn, apy]),
    );
    expect(median.at(-1)?.stakingApy).toBe(current(medians));
    expect(median.map(({ borrowInterestApy }) => borrowInterestApy)).toEqual(
      both.map(({ borrowInterestApy }) => borrowInterestApy),
    );
  });

  it('are absent from the history of a reserve of another token or market', async () => {
    const { market, reserve, stakedReserve } = world.localChain.addresses;
    const of = (inMarket: string | undefined, address: string) =>
      read(`/svc-market/${inMarket}/reserves/${address}/borrow-and-staking-apys/history`);
    expect(await of(market, reserve)).toEqual([]);
    expect(
      await of(
        world.subjects.markets.find((each) => each !== market),
        stakedReserve,
      ),
    ).toEqual([]);
  });
});

describe('the yield of a farm reward', () => {
  it('equals that of the graph, and its rate compounds daily to its yield', async () => {
    const { vault } = world.localChain.addresses;
    const document = `query ($vault: Address!) { vault(address: $vault) { farm { address rewards { token { mint } } } } }`;
    const { data } = await world.gateway.query<{
      vault: { farm: { address: string; rewards: { token: { mint: string } }[] } };
    }>(document, { variables: { vault } });
    const { address, rewards } = data.vault.farm;
    expect(rewards.length).toBeGreaterThan(0);
    for (const { token } of rewards) {
      const points = await read<Point[]>(`/yields/${address}-${token.mint}/history`);
      expect(points.length).toBeGreaterThan(20);
      const twin = await world.gateway.query<{
        vault: { farm: { yieldHistory: { points: { timestamp: string; apr: string; apy: string }[] } } };
      }>(
        `query ($vault: Address!, $mint: Address!) { vault(address: $vault) { farm {
          yieldHistory(rewardMint: $mint, maxPoints: 1000) { points { timestamp apr apy } }
        } } }`,
        { variables: { vault, mint: token.mint } },
      );
      expect(points).toEqual(
        twin.data.vault.farm.yieldHistory.points
          .filter(({ apy }) => apy !== null)
          .map(({ timestamp, apr, apy }) => ({ createdOn: timestamp, apr, apy })),
      );
      for (const { apr, apy } of points)
        expect(Number(apy) / ((1 + Number(apr) / 365) ** 365 - 1)).toBeCloseTo(1, 9);
    }
    expect(await read(`/yields/${address}-${world.localChain.addresses.wallet}/history`)).toEqual([]);
  });
});

describe('epochs', () => {
  it('follow each other, newest first, and end before the current one', async () => {
    const epochs = await read<Epoch[]>('/epochs');
    const { data } = await world.gateway.query<{ chain: { slot: string } }>('{ chain { slot } }');
    expect(epochs).toHaveLength(20);
    expect(epochs[0]?.epoch).toBe(Math.floor(Number(data.chain.slot) / 432_000) - 1);
    epochs.forEach(({ epoch, firstSlot, lastSlot, startBlockTime, endBlockTime }, i) => {
      expect([firstSlot, lastSlot]).toEqual([epoch * 432_000, (epoch + 1) * 432_000 - 1]);
      expect(Date.parse(endBlockTime) - Date.parse(startBlockTime)).toBeCloseTo(432_000 * 400, -4);
      const later = epochs[i - 1];
      if (later !== undefined) {
        expect(later.epoch).toBe(epoch + 1);
        expect(Date.parse(later.startBlockTime)).toBeGreaterThanOrEqual(Date.parse(endBlockTime));
      }
    });
  });

  it('and the slot duration need no RPC call once they are known', async () => {
    await read('/epochs');
    world.proxy.reset();
    await read('/epochs?again');
    expect(await read('/slots/duration?again')).toEqual({ recentSlotDurationInMs: 400 });
    expect(world.proxy.calls.filter(({ method }) => /Epoch|Block|Performance/.test(method))).toEqual([]);
  });
});
