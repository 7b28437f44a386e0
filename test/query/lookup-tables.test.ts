import { decodeLookupTable, encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';

let world: ChangingContractWorld;
let tables: ReadonlyMap<Address, readonly Address[]>;

beforeAll(async () => {
  world = await startChangingContractWorld();
  const view = world.gateway.app.chain.views.current();
  tables = new Map([...view.all('table')].map(([address, { value }]) => [address, value.addresses]));
});
afterAll(() => world?.stop());
afterEach(() => world.localChain.restore());

async function minimal(body: object): Promise<string[]> {
  const answer = await world.post('/luts/find-minimal', body);
  expect(answer.status).toBe(200);
  return (answer.body as { lutAddresses: string[] }).lutAddresses;
}

const contentOf = (chosen: readonly string[]) =>
  new Set([...tables].flatMap(([address, entries]) => (chosen.includes(address) ? entries : [])));

/** Tables that have something that no other table has, each with one such entry. */
function distinctTables(): { readonly table: Address; readonly entry: Address }[] {
  const uses = new Map<Address, number>();
  for (const entry of [...tables.values()].flat()) uses.set(entry, (uses.get(entry) ?? 0) + 1);
  return [...tables].flatMap(([table, entries]) => {
    const entry = entries.find((each) => uses.get(each) === 1);
    return entry === undefined ? [] : [{ table, entry }];
  });
}

describe('the fewest lookup tables', () => {
  it('cover what any table has, and nothing can be left out', async () => {
    const some = [...tables.values()].slice(0, 6).flatMap((entries) => entries.slice(0, 12));
    const stranger = world.subjects.addresses.emptyWallet;
    const chosen = await minimal({ addresses: [...some, stranger] });
    const wanted = new Set(some);
    const covered = (of: readonly string[]) => [...contentOf(of)].filter((each) => wanted.has(each)).length;
    expect(covered(chosen)).toBe(wanted.size);
    for (const left of chosen) {
      expect(covered(chosen.filter((each) => each !== left))).toBeLessThan(wanted.size);
    }
    expect(chosen).toEqual(chosen.toSorted());
    expect(chosen.length).toBeLessThanOrEqual(6);
  });

  it('are one for each entry that no other table has, unless it belongs to the user', async () => {
    const [a = expect.fail(), b = expect.fail()] = distinctTables();
    const addresses = [a.entry, b.entry];
    expect(await minimal({ addresses })).toEqual([a.table, b.table].sort());
    expect(await minimal({ addresses, userAccounts: [b.entry] })).toEqual([a.table]);
    expect(await minimal({ addresses, userAccounts: addresses })).toEqual([]);
  });

  it('are read from the chain only to verify them, and then without a table that was deactivated', async () => {
    const [{ table: a, entry } = expect.fail()] = distinctTables();
    const addresses = [entry];
    world.proxy.reset();
    expect(await minimal({ addresses })).toContain(a);
    expect(world.proxy.calls).toEqual([]);
    expect(await minimal({ addresses, verify: true })).toContain(a);
    expect(world.proxy.calls.length).toBe(1);
    const account = accountIn(world.localChain, a);
    const table = decodeLookupTable({ ...account, address: a });
    world.localChain.place(a, { ...account, data: encodeLookupTable({ ...table, deactivationSlot: 1n }) });
    const verified = await minimal({ addresses, verify: true });
    expect(verified).not.toContain(a);
    expect(await minimal({ addresses })).toContain(a);
  });
});

describe('the managed lookup tables', () => {
  it('are those of the accounts of the world', async () => {
    const { vaults, markets } = world.localChain.worldChain.world;
    for (const { address, lookupTable } of [...vaults.slice(0, 8), ...markets.slice(0, 1)]) {
      const answer = await world.get(`/luts/managed?productIdentifierAddress=${address}`);
      expect(answer.body).toEqual({ productIdentifierAddress: address, lutAddresses: [lookupTable] });
    }
  });
});
