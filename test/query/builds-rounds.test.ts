import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { KTX_OPERATIONS } from '../../src/rest/builds/routes.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';

interface Bundle {
  readonly instructions: readonly {
    readonly accounts: readonly { readonly address: string; readonly role: string }[];
    readonly data: string;
  }[];
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

interface Built {
  readonly bundle: Bundle;
  /** Addresses that each round asked for, between the two clocks. */
  readonly rounds: readonly (readonly string[])[];
}

let world: ChangingContractWorld;
beforeAll(async () => {
  world = await startChangingContractWorld();
});
afterEach(() => world?.localChain.restore());
afterAll(() => world?.stop());

const view = () => world.gateway.app.chain.views.current();
const programs = () => world.gateway.app.chain.options.programs;

async function build(action: string, change: Readonly<Record<string, unknown>> = {}): Promise<Built> {
  const path = `/ktx/${action}-instructions`;
  const operation = KTX_OPERATIONS.find((each) => each.path === path);
  world.proxy.reset();
  const { status, body } = await world.post(path, {
    ...operation?.example(world.localChain.addresses).body,
    ...change,
  });
  expect(status).toBe(200);
  for (const { method } of world.proxy.calls) expect(method).toBe('getMultipleAccounts');
  return { bundle: body as Bundle, rounds: world.proxy.calls.map(({ addresses }) => addresses.slice(1, -1)) };
}

const REFRESH = Buffer.from(refreshReserve.discriminator).toString('base64');
const refreshed = ({ instructions }: Bundle) => instructions.filter(({ data }) => data === REFRESH);
const refreshedReserves = (bundle: Bundle) => refreshed(bundle).map(({ accounts }) => accounts[0]?.address);

const ACTIONS = ['klend/deposit', 'klend/borrow', 'klend/repay', 'klend/withdraw'] as const;
const VAULT_ACTIONS = ['kvault/deposit', 'kvault/withdraw'] as const;

/** A reserve of the market that the wallet's obligation does not have, and a free place for it among the deposits. */
function otherReserve() {
  const { addresses } = world.localChain;
  const held = obligation.decode(accountIn(world.localChain, addresses.obligation), programs().klend);
  const place = held.deposits.findIndex(({ depositReserve }) => presentAddress(depositReserve) === null);
  const taken = new Set<string>([
    ...held.deposits.map(({ depositReserve }) => depositReserve),
    ...held.borrows.map(({ borrowReserve }) => borrowReserve),
  ]);
  const found = view()
    .reservesOfMarket(addresses.market)
    .find(({ address }) => !taken.has(address));
  if (found === undefined || place < 0) throw new Error('the obligation has no room');
  return { address: found.address, place };
}

/** The wallet's obligation gains a deposit that is not in the View. */
function placeDeposit(): Address {
  const { address, place } = otherReserve();
  const held = world.localChain.addresses.obligation;
  const deposits = [
    ...Array.from({ length: place }, () => ({})),
    { depositReserve: address, depositedAmount: 5_000_000n },
  ];
  world.localChain.place(held, withFields(obligation, accountIn(world.localChain, held), { deposits }));
  return address;
}

describe('expected accounts are read together with the named ones', () => {
  it('takes one round for an unknown obligation in a market with few reserves', async () => {
    expect(view().reservesOfMarket(world.localChain.addresses.market).length).toBeLessThanOrEqual(16);
    expect((await build('klend/borrow')).rounds).toHaveLength(1);
  });

  it.each([...ACTIONS, ...VAULT_ACTIONS])(
    '%s takes one round and reads the accounts that it acts on',
    async (action) => {
      await build(action);
      const { bundle, rounds } = await build(action);
      expect(rounds).toHaveLength(1);
      const { addresses } = world.localChain;
      const acted = action.startsWith('kvault')
        ? [
            addresses.vault,
            ...(view().get('vault', addresses.vault)?.value.vaultAllocationStrategy ?? [])
              .map(({ reserve: used }) => used)
              .filter((used) => presentAddress(used) !== null),
          ]
        : [addresses.market, addresses.obligation, ...refreshedReserves(bundle)];
      expect(acted.length).toBeGreaterThan(2);
      expect(rounds[0]).toEqual(expect.arrayContaining(acted));
    },
  );

  it('reads only the reserves of a known obligation', async () => {
    await build('klend/borrow');
    const { rounds } = await build('klend/borrow');
    expect(rounds[0]).not.toContain(otherReserve().address);
  });

  it('takes one round for an empty wallet', async () => {
    const wallet = world.localChain.addresses.emptyWallet;
    for (const action of ['klend/deposit', ...VAULT_ACTIONS]) {
      expect((await build(action, { wallet })).rounds, action).toHaveLength(1);
    }
  });

  it('builds from the chain: a reserve that changed after the View is read again', async () => {
    const { depositReserve, borrowReserve, wallet } = world.localChain.addresses;
    await build('klend/borrow');
    const stored = accountIn(world.localChain, depositReserve);
    const config = { tokenInfo: { scopeConfiguration: { priceFeed: wallet } } };
    world.localChain.place(depositReserve, withFields(reserve, stored, { config }));
    const { bundle, rounds } = await build('klend/borrow');
    expect(rounds).toHaveLength(1);
    const [oracle, untouched] = [depositReserve, borrowReserve].map((address) =>
      refreshed(bundle)
        .find(({ accounts }) => accounts[0]?.address === address)
        ?.accounts.some((account) => account.address === wallet),
    );
    expect([oracle, untouched]).toEqual([true, false]);
  });
});

describe('unexpected accounts are read in a second round', () => {
  it.each(ACTIONS)('%s: the obligation has a new reserve', async (action) => {
    const before = await build(action);
    const added = placeDeposit();
    const late = await build(action);
    expect(late.rounds).toHaveLength(2);
    expect(late.rounds[0]).not.toContain(added);
    expect(late.rounds[1]).toContain(added);
    expect(refreshedReserves(before.bundle)).not.toContain(added);
    expect([...refreshedReserves(late.bundle)].sort()).toEqual(
      [...refreshedReserves(before.bundle), added].sort(),
    );
    const known = await build(action);
    expect(known.rounds).toHaveLength(1);
    expect(known.bundle).toEqual(late.bundle);
    world.localChain.restore();
    const again = await build(action);
    expect(again.rounds).toHaveLength(1);
    expect(again.bundle).toEqual(before.bundle);
  });

  it('the wallet has created a lookup table since its last build', async () => {
    const { wallet, vault } = world.localChain.addresses;
    const table = view().get('vault', vault)?.value.vaultLookupTable;
    if (table === undefined) throw new Error('the vault has no table');
    await build('klend/borrow');
    const address = userMetadataAddress(programs().klend, wallet).address;
    const stored = accountIn(world.localChain, address);
    world.localChain.place(address, withFields(userMetadata, stored, { userLookupTable: table }));
    const late = await build('klend/borrow');
    expect(late.rounds).toHaveLength(2);
    expect(late.rounds[1]).toContain(table);
    expect(Object.keys(late.bundle.lutsByAddress)).toContain(table);
    const known = await build('klend/borrow');
    expect(known.rounds).toHaveLength(1);
    expect(known.bundle).toEqual(late.bundle);
  });

  it.each(VAULT_ACTIONS)('%s: the vault has an allocation that is not in the View', async (action) => {
    const { vault } = world.localChain.addresses;
    const before = await build(action);
    const stored = accountIn(world.localChain, vault);
    const allocations = vaultState.decode(stored, programs().kvault).vaultAllocationStrategy;
    const place = allocations.findIndex(({ reserve: used }) => presentAddress(used) === null);
    const taken = new Set(allocations.map(({ reserve: used }) => used));
    const added = [...view().all('reserve').values()].find(({ address }) => !taken.has(address));
    if (added === undefined || place < 0) throw new Error('the vault has no room');
    const vaultAllocationStrategy = [
      ...Array.from({ length: place }, () => ({})),
      { reserve: added.address, ctokenVault: added.value.collateral.supplyVault },
    ];
    world.localChain.place(vault, withFields(vaultState, stored, { vaultAllocationStrategy }));
    const late = await build(action);
    expect(late.rounds).toHaveLength(2);
    expect(late.rounds[1]).toEqual([added.address]);
    const uses = ({ instructions }: Bundle) =>
      instructions.flatMap(({ accounts }) => accounts.filter(({ address }) => address === added.address));
    expect(uses(before.bundle)).toEqual([]);
    expect(uses(late.bundle)).toEqual([{ address: added.address, role: 'WRITABLE' }]);
  });

  it('a vault that has changed completely since the View', async () => {
    const { vault } = world.localChain.addresses;
    const other = [...view().all('vault').values()].find(
      ({ address, value }) =>
        address !== vault && value.tokenMint !== view().get('vault', vault)?.value.tokenMint,
    );
    if (other === undefined) throw new Error('there is one vault only');
    const expected = await build('kvault/deposit', { kvault: other.address });
    world.localChain.place(vault, accountIn(world.localChain, other.address));
    const { bundle, rounds } = await build('kvault/deposit');
    expect(rounds).toHaveLength(2);
    const named = (built: Bundle) =>
      JSON.stringify(built).replaceAll(vault, 'vault').replaceAll(other.address, 'vault');
    expect(named(bundle)).toBe(named(expected.bundle));
  });
});

describe('a refusal costs no second round', () => {
  it.each([
    ['klend/borrow', () => ({ wallet: world.localChain.addresses.emptyWallet })],
    ['klend/borrow', () => ({ market: world.localChain.addresses.vault })],
    ['kvault/deposit', () => ({ kvault: world.localChain.addresses.market })],
  ] as const)('%s', async (action, change) => {
    const path = `/ktx/${action}-instructions`;
    const operation = KTX_OPERATIONS.find((each) => each.path === path);
    world.proxy.reset();
    const body = { ...operation?.example(world.localChain.addresses).body, ...change() };
    expect((await world.post(path, body)).status).toBe(400);
    expect(world.proxy.count('getMultipleAccounts')).toBe(1);
  });
});
