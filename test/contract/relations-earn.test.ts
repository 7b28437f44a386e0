import { integer, type Rational, sum } from '@sluice/protocol/numeric/rational';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exact, expectExact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import { type ContractWorld, startContractWorld } from '../support/contract/contract-app.ts';

type Fields = Readonly<Record<string, string>>;

interface Vault {
  readonly address: string;
  readonly state: Fields & { readonly sharesMintDecimals: number; readonly tokenMintDecimals: number };
}

let world: ContractWorld;
let vaults: readonly Vault[];
const metricsOf = new Map<string, Fields>();

const read = async <T>(url: string) => (await world.get(url)).body as T;

beforeAll(async () => {
  world = await startContractWorld();
  vaults = await read('/kvaults/vaults');
  for (const { address } of vaults) metricsOf.set(address, await read(`/kvaults/vaults/${address}/metrics`));
});
afterAll(() => world?.stop());

/** Of each vault, with its numbers by name. */
function eachVault(check: (n: (name: string) => Rational, vault: Vault) => void): void {
  expect(vaults.length).toBe(world.subjects.vaults.length);
  for (const vault of vaults) check((name) => exact(metricsOf.get(vault.address)?.[name]), vault);
}

const units = (amount: unknown, decimals: number) => exact(amount).div(integer(10n ** BigInt(decimals)));

describe('vault metrics', () => {
  it('sharePrice is tokensPerShare x tokenPrice', () => {
    eachVault((n, { address }) =>
      expectNear(n('sharePrice'), n('tokensPerShare').mul(n('tokenPrice')), address),
    );
  });

  it('apy is the interest at target weights alone, so that clients can add the rewards', () => {
    const parts = ['apy', 'apyActual', 'apyFarmRewards', 'apyIncentives', 'apyReservesIncentives'];
    const paid = new Set<string>();
    eachVault((n, { address }) => {
      expectExact(n('apy'), n('apyTheoretical'), address);
      for (const part of parts) if (!n(part).isZero) paid.add(part);
    });
    expect([...paid].sort()).toEqual([...parts].sort());
  });

  it('amounts in USD are amounts x tokenPrice', () => {
    eachVault((n, { address }) => {
      for (const name of ['tokensAvailable', 'tokensInvested']) {
        expectNear(n(`${name}Usd`), n(name).mul(n('tokenPrice')), `${name} of ${address}`);
      }
    });
  });

  it('interest and fees in USD and SOL are the same amount at the two prices', () => {
    const names = [
      'cumulativeInterestEarned',
      'interestEarnedPerSecond',
      'cumulativePerformanceFees',
      'cumulativeManagementFees',
    ];
    eachVault((n, { address }) => {
      for (const name of names) {
        const usd = n(name).mul(n('tokenPrice'));
        expectNear(n(`${name}Usd`), usd, `${name}Usd of ${address}`);
        expectNear(n(`${name}Sol`), usd.div(n('solPrice')), `${name}Sol of ${address}`);
      }
    });
  });

  it('shares and idle tokens are those of the account, in whole units', () => {
    eachVault((n, { address, state }) => {
      const { sharesIssued, sharesMintDecimals, tokenAvailable, tokenMintDecimals } = state;
      expectExact(n('sharesIssued'), units(sharesIssued, sharesMintDecimals), address);
      expectExact(n('tokensAvailable'), units(tokenAvailable, tokenMintDecimals), address);
    });
  });

  it('all shares together are worth the total value of the vault', () => {
    eachVault((n, { address }) => {
      const [has, worth] = [
        n('tokensAvailable').add(n('tokensInvested')),
        n('tokensPerShare').mul(n('sharesIssued')),
      ];
      expect(worth.compare(has.mul(exact('1.000000000001'))) <= 0, address).toBe(true);
      expect(worth.compare(has.mul(exact('0.95'))) >= 0, address).toBe(true);
    });
  });

  it('every vault has the same price of SOL', () => {
    expect(new Set([...metricsOf.values()].map(({ solPrice }) => solPrice)).size).toBe(1);
  });
});

describe('vault allocations', () => {
  interface Allocations {
    readonly capitalDeployedUsd: string;
    readonly utilizationRatio: string;
    readonly allocations: readonly (Fields & { readonly collateral: readonly string[] })[];
    readonly unallocated: Fields;
  }

  it('add up to the whole vault, to what it has invested, and to its idle tokens', async () => {
    let several = 0;
    for (const { address } of vaults) {
      const answer = await read<Allocations>(`/kvaults/vaults/${address}/allocations`);
      const total = (name: string) => sum(answer.allocations.map((each) => exact(each[name])));
      const n = (name: string) => exact(metricsOf.get(address)?.[name]);
      expectNear(total('actualPct').add(exact(answer.unallocated.pct)), integer(100n), address);
      expect(total('targetWeightPct').compare(exact('100.000000000001')) <= 0, address).toBe(true);
      expectNear(total('suppliedUsd'), exact(answer.capitalDeployedUsd), address);
      expectNear(exact(answer.capitalDeployedUsd), n('tokensInvestedUsd'), address);
      expectNear(total('suppliedTokenAmount'), n('tokensInvested'), address);
      expectExact(exact(answer.unallocated.tokenAmount), n('tokensAvailable'), address);
      expectExact(exact(answer.unallocated.usd), n('tokensAvailableUsd'), address);
      const lent = sum(
        answer.allocations.map((each) => exact(each.actualPct).mul(exact(each.utilizationRatio))),
      );
      expectNear(lent, exact(answer.utilizationRatio).mul(integer(100n)), address);
      if (answer.allocations.length > 1) several += 1;
    }
    expect(several).toBeGreaterThan(5);
  });

  it('have weights and caps of the account, as percentages and whole tokens', async () => {
    const { vault: address } = world.localChain.addresses;
    const { allocations } = await read<Allocations>(`/kvaults/vaults/${address}/allocations`);
    const value = world.gateway.app.chain.views.current().get('vault', address)?.value;
    const used = value?.vaultAllocationStrategy.filter(({ reserve }) => !/^1+$/.test(reserve)) ?? [];
    const all = used.reduce(
      (weights, each) => weights + each.targetAllocationWeight,
      value?.unallocatedWeight ?? 0n,
    );
    expect(allocations.map(({ reserve }) => reserve)).toEqual(used.map(({ reserve }) => reserve));
    for (const [i, { targetAllocationWeight, tokenAllocationCap }] of used.entries()) {
      const shown = allocations[i];
      expectNear(
        exact(shown?.targetWeightPct).mul(integer(all)),
        integer(100n * targetAllocationWeight),
        address,
      );
      expectExact(
        exact(shown?.capTokenAmount),
        units(String(tokenAllocationCap), Number(value?.tokenMintDecimals)),
        address,
      );
    }
  });
});

describe('the summary', () => {
  const PARTS = ['interest', 'rewards', 'reserveRewards'];
  type Summary = { readonly earnings: Readonly<Record<string, Fields>> };

  it.each([
    ['default', (_: number, address: string) => address],
    ['private-credit', (i: number, address: string) => (i === vaultCount() - 1 ? address : null)],
  ] as const)(
    '%s: the total is the sum, SOL is USD by the price, interest that of the vaults',
    async (type, among) => {
      const { earnings } = await read<Summary>(`/kvaults/summary?type=${type}`);
      const value = (part: string, unit: string) => exact(earnings[part]?.[unit]);
      expectExact(value('total', 'usd'), sum(PARTS.map((part) => value(part, 'usd'))), type);
      expectNear(value('total', 'sol'), sum(PARTS.map((part) => value(part, 'sol'))), type);
      const solPrice = exact([...metricsOf.values()][0]?.solPrice);
      for (const part of [...PARTS, 'total']) {
        expectNear(value(part, 'sol'), value(part, 'usd').div(solPrice), `${type} ${part}`);
      }
      const own = world.subjects.vaults.flatMap(({ address }, i) => among(i, address) ?? []);
      const earned = own.map((address) => exact(metricsOf.get(address)?.cumulativeInterestEarnedUsd));
      expectNear(value('interest', 'usd'), sum(earned), type);
    },
  );

  const vaultCount = () => world.subjects.vaults.length;
});

describe('positions', () => {
  it('have an exact total of staked and unstaked shares, and are the same one by one', async () => {
    let staked = 0;
    for (const wallet of world.subjects.wallets) {
      const positions = await read<readonly Fields[]>(`/kvaults/users/${wallet}/positions`);
      for (const position of positions) {
        const { vaultAddress, stakedShares, unstakedShares, totalShares } = position;
        expectExact(exact(totalShares), exact(stakedShares).add(exact(unstakedShares)), wallet);
        expect(exact(totalShares).compare(integer(0n))).toBe(1);
        if (stakedShares !== '0') staked += 1;
        expect(await read(`/kvaults/users/${wallet}/positions/${vaultAddress}`)).toEqual(position);
      }
    }
    const { wallets, vaults: known } = world.localChain.worldChain.world;
    const farms = known.map(({ farm }) => farm);
    const stakes = wallets
      .filter(({ address }) => world.subjects.wallets.includes(address))
      .flatMap((wallet) => [...wallet.stakes.values()])
      .filter(({ farm, stake }) => farms.includes(farm) && stake > 0n);
    expect(staked).toBe(stakes.length);
    expect(staked).toBeGreaterThan(3);
  });

  it('hold what the token accounts of the wallet hold', async () => {
    const { wallets, vaults: known } = world.localChain.worldChain.world;
    const decimals = new Map(vaults.map(({ address, state }) => [address, state.sharesMintDecimals]));
    for (const wallet of world.subjects.wallets) {
      const holdings = wallets.find(({ address }) => address === wallet)?.holdings;
      const wanted = known.flatMap(({ address, sharesMint }) => {
        const amount = holdings?.get(sharesMint.address)?.amount ?? 0n;
        return amount === 0n ? [] : [[address, units(String(amount), decimals.get(address) ?? 0)] as const];
      });
      const positions = await read<readonly Fields[]>(`/kvaults/users/${wallet}/positions`);
      for (const [vault, shares] of wanted) {
        const found = positions.find(({ vaultAddress }) => vaultAddress === vault);
        expectExact(exact(found?.unstakedShares), shares, `${wallet} in ${vault}`);
      }
    }
  });
});

describe('vault rewards', () => {
  it('add up to the incentives of their vault', async () => {
    const rewards = await read<readonly Fields[]>('/kvaults/rewards');
    expect(rewards.length).toBeGreaterThan(2);
    eachVault((n, { address }) => {
      const own = rewards.filter(({ kvault }) => kvault === address).map(({ apy }) => exact(apy));
      expectExact(n('apyIncentives'), sum(own), address);
    });
  });
});
