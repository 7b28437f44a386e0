import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { type BuiltPlan, PlanActor } from '../support/apps/plan-actor.ts';

/**
 * Claims after other actions of the same plan, which change the stake that earns: the wallet must receive what the preview
 * says, to the base unit. The farms program decides what that is.
 */

const { klend, kvault } = MAINNET_PROGRAMS;
const USDC = 1_000_000n;
const DAY = 86_400;

let world: ActingApp;
let actor: PlanActor;
let farm: Address;
let usdc: Address;

beforeAll(async () => {
  world = await startActingApp();
  const { vault, tokenMint } = world.localnet.addresses;
  usdc = tokenMint;
  farm = vaultState.decode(accountIn(world.localnet.chain, vault), kvault).vaultFarm;
});
afterAll(() => world?.stop());
beforeEach(async () => {
  actor = new PlanActor(world, await world.newWallet({ [usdc]: 100_000n * USDC }));
});

/** Rewards of all steps by mint, base units. */
function promisedBy({ preview }: BuiltPlan): Map<Address, bigint> {
  const promised = new Map<Address, bigint>();
  for (const { mint, amount } of preview.rewards) {
    promised.set(mint, (promised.get(mint) ?? 0n) + BigInt(amount.baseUnits));
  }
  return promised;
}

/** Sends a plan. Returns promised and received base units by mint, without SOL, which pays fees, and the moved token. */
async function claimedBy(moved: Address, ...actions: readonly object[]) {
  const { farms } = world.localnet.chain.world;
  const mints = new Set(farms.flatMap(({ rewards }) => rewards.map(({ token }) => token.mint.address)));
  for (const each of [WRAPPED_SOL_MINT, moved]) mints.delete(each);
  const balances = async () =>
    new Map(await Promise.all([...mints].map(async (mint) => [mint, await actor.tokens(mint)] as const)));
  const before = await balances();
  const promised = promisedBy(await actor.act(...actions));
  const received = new Map<Address, bigint>();
  for (const [mint, after] of await balances()) {
    const change = after - (before.get(mint) ?? 0n);
    if (change !== 0n) received.set(mint, change);
  }
  return { promised: new Map([...promised].filter(([mint]) => mints.has(mint))), received };
}

describe('a claim after an action on the same stake', () => {
  beforeEach(async () => {
    await actor.act(actor.vault('Deposit', { tokens: '60000' }));
    await actor.act(actor.shares('unstake', { shares: '20000' }));
    await actor.wait(DAY);
  });

  it.each<[string, () => object[]]>([
    ['of nothing else', () => []],
    ['that stakes more', () => [actor.shares('stake', { all: 'ALL' })]],
    ['that unstakes a part', () => [actor.shares('unstake', { shares: '12345.678901' })]],
    ['that unstakes all', () => [actor.shares('unstake', { all: 'ALL' })]],
    ['that deposits into the vault and stakes', () => [actor.vault('Deposit', { tokens: '30000' })]],
    ['that withdraws from the vault', () => [actor.vault('Withdraw', { shares: '25000' })]],
    [
      'and others',
      () => [
        actor.shares('stake', { shares: '10000' }),
        actor.shares('unstake', { shares: '40000' }),
        actor.shares('stake', { shares: '7' }),
      ],
    ],
  ])('%s pays what the preview says', async (_, actions) => {
    const { promised, received } = await claimedBy(usdc, ...actions(), actor.claim(farm));
    expect(promised.size).toBeGreaterThan(0);
    for (const amount of promised.values()) expect(amount).toBeGreaterThan(0n);
    expect(received).toEqual(promised);
  });

  it('pays once in a plan', async () => {
    const stake = actor.shares('stake', { all: 'ALL' });
    const twice = await actor.refused([actor.claim(farm), stake, actor.claim(farm)]);
    expect(twice).toMatchObject({ __typename: 'NothingToClaim', code: 'NOTHING_TO_CLAIM', step: 2 });
  });

  it('counts the new stake from then on', async () => {
    await claimedBy(usdc, actor.shares('stake', { all: 'ALL' }), actor.claim(farm));
    await actor.wait(DAY);
    const { promised, received } = await claimedBy(usdc, actor.claim(farm));
    expect(promised.size).toBeGreaterThan(0);
    expect(received).toEqual(promised);
  });
});

describe('a claim after an action on a position in the same reserve', () => {
  /** A reserve of the market whose deposits earn another token. */
  function earningReserve() {
    const { chain: localChain, addresses } = world.localnet;
    const market = localChain.world.markets.find(({ address }) => address === addresses.market);
    for (const each of market?.reserves ?? []) {
      const { farmCollateral } = reserveLayout.decode(accountIn(localChain, each.address), klend);
      const { rewards } = localChain.world.farms.find(({ address }) => address === farmCollateral) ?? {};
      const { mint } = each.token;
      if (mint.address !== WRAPPED_SOL_MINT && rewards?.some(({ token }) => token.mint !== mint)) {
        return { ...each, farm: farmCollateral };
      }
    }
    return expect.fail('no such reserve');
  }

  it.each<[string, (reserve: Address) => object]>([
    ['a deposit', (reserve) => actor.lending('Deposit', reserve, '3')],
    ['a partial withdrawal', (reserve) => actor.lending('Withdraw', reserve, '2')],
    ['a withdrawal of all', (reserve) => actor.lending('Withdraw', reserve, null)],
  ])('pays what the preview says after %s', async (_, action) => {
    const reserve = earningReserve();
    const { mint } = reserve.token;
    const units = 10n ** BigInt(mint.decimals);
    await world.call('localnet_requestTokens', [actor.address, mint.address, Number(100n * units)]);
    await actor.act(actor.lending('Deposit', reserve.address, '5'));
    await actor.wait(30 * DAY);
    const claim = actor.claim(reserve.farm);
    const { promised, received } = await claimedBy(mint.address, action(reserve.address), claim);
    expect(promised.size).toBeGreaterThan(0);
    expect(received).toEqual(promised);
  });
});
