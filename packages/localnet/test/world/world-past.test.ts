import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { slotAt, startOf } from '../../src/world/time.ts';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { generatePast } from '../../src/world/world-past.ts';

const START = Date.UTC(2026, 5, 1);
const SLOTS = 120n;

let nowMs = START;
const options = { now: () => nowMs };
/** Chains that begin at the start, each from the past that it is given or from one of its own. */
function started<T>(make: () => T): T {
  nowMs = START;
  return make();
}

/** Wallets act, a price is set, and tokens are given. */
function moved(chain: WorldChain): WorldChain {
  nowMs = startOf(slotAt(START) + SLOTS);
  chain.tick();
  expect(chain.setPrice('SOL', 50n * FRACTION_ONE)).toBe(true);
  expect(chain.send(chain.faucet.airdrop(chain.addresses.wallet, 1_000n)).kind).toBe('processed');
  nowMs = startOf(slotAt(nowMs) + 10n);
  chain.tick();
  return chain;
}

/** Everything that a client can read of accounts, by address. */
function accountsOf(chain: WorldChain): ReadonlyMap<string, string> {
  return new Map(
    [...chain.world.store.addresses()].map((address) => {
      const { owner = '', lamports = 0n, data = new Uint8Array() } = chain.account(address) ?? {};
      return [address, `${owner} ${lamports} ${Buffer.from(data).toString('base64')}`];
    }),
  );
}

const models = ({ world }: WorldChain) =>
  [
    world.wallets.map(({ vaults, stakes }) => [vaults.length, stakes.size]),
    world.vaults.map(({ holders }) => holders.length),
  ] as const;

describe('chains of one past', () => {
  const past = started(() => generatePast(options));
  const untouched = started(() => createWorldChain(options, past));
  const before = { accounts: accountsOf(untouched), models: models(untouched) };
  const changed = started(() => moved(createWorldChain(options, past)));

  it('move as a chain with a past of its own', () => {
    const own = started(() => moved(createWorldChain(options)));
    expect(accountsOf(changed)).toEqual(accountsOf(own));
    const { wallet } = own.addresses;
    const signatures = (chain: WorldChain) => chain.transactionsOf(wallet).map(({ signature }) => signature);
    expect(signatures(changed)).toEqual(signatures(own));
    expect(signatures(changed).length).toBe(signatures(untouched).length + 1);
  });

  it('do not change each other', () => {
    expect(accountsOf(changed)).not.toEqual(before.accounts);
    expect(accountsOf(untouched)).toEqual(before.accounts);
    expect(accountsOf(started(() => createWorldChain(options, past)))).toEqual(before.accounts);
    expect(models(untouched)).toEqual(before.models);
  });

  it('announce what a reset restores, and what it closes', () => {
    const chain = started(() => moved(createWorldChain(options, past)));
    const after = accountsOf(chain);
    const announced = new Set<string>();
    chain.onSlot((_, addresses) => {
      for (const address of addresses) announced.add(address);
    });
    chain.reset();
    const restored = accountsOf(chain);
    const differing = [...new Set([...after.keys(), ...restored.keys()])].filter(
      (address) => after.get(address) !== restored.get(address),
    );
    expect(differing.length).toBeGreaterThan(10);
    expect(differing.filter((address) => !announced.has(address))).toEqual([]);
  });
});
