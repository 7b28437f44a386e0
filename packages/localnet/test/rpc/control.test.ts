import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Localnet, startControlledLocalnet } from '../../src/localnet.ts';
import { startRpcServer } from '../../src/rpc/server.ts';
import { testAddress } from '../support/chain/fake-chain.ts';
import { accountIn } from '../support/chain/test-world.ts';

const SOL = 1_000_000_000;
const WALLET = testAddress(7);

let localnet: Localnet;

// One chain for all tests: generating a world takes long. A test relies on nothing that others change.
beforeAll(async () => {
  localnet = await startControlledLocalnet({ scale: 1, seed: 'sluice', frozen: true });
});
afterAll(() => localnet.stop());

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Answer;
}

const call = (method: string, ...params: unknown[]) => ask(localnet.rpc.url, method, params);
const balance = async () =>
  ((await call('getBalance', WALLET)).result as { readonly value: number } | undefined)?.value;

/** USD per token as the oracle's account has it. */
function oraclePrice(symbol: string): number {
  const { tokens, oracle } = localnet.chain.world;
  const token = tokens.find((each) => each.symbol === symbol) ?? expect.fail(symbol);
  const account = accountIn(localnet.chain, oracle.address);
  const { prices } = oraclePrices.decode(account, account.owner);
  const { value = 0n, exp = 0n } = prices[token.feed.index]?.price ?? {};
  return Number(value) / 10 ** Number(exp);
}

// First, because prices move while the other tests advance time.
describe('A reset', () => {
  it('restores accounts and prices, and time does not go back', async () => {
    const price = oraclePrice('SOL');
    const { wallet } = localnet.addresses;
    const lamports = localnet.chain.account(wallet)?.lamports;
    await call('requestAirdrop', WALLET, SOL);
    await call('requestAirdrop', wallet, SOL);
    await call('localnet_setPrice', 'SOL', '1');
    const { slot } = localnet.chain;
    const changed = new Set<Address>();
    localnet.chain.onSlot((_, addresses) => {
      for (const address of addresses) changed.add(address);
    });
    const { result } = await call('localnet_reset');
    expect(BigInt(String(result))).toBeGreaterThan(slot);
    expect(await balance()).toBe(0);
    expect(localnet.chain.account(wallet)?.lamports).toBe(lamports);
    expect(Math.abs(oraclePrice('SOL') / price - 1)).toBeLessThan(0.01);
    expect(changed.has(WALLET)).toBe(true);
    expect((await call('requestAirdrop', WALLET, 2 * SOL)).error).toBeUndefined();
    expect(await balance()).toBe(2 * SOL);
  });
});

describe('A frozen chain', () => {
  it('stands still until a request advances it', async () => {
    const { slot } = localnet.chain;
    localnet.chain.tick();
    expect(localnet.chain.slot).toBe(slot);
    expect((await call('localnet_advanceTime', 60)).result).toBe(Number(slot) + 150);
    const before = await call('getBlockTime', Number(slot));
    const after = await call('getBlockTime', Number(slot) + 150);
    expect(Number(after.result) - Number(before.result)).toBe(60);
  });

  it('enters the next slot with each transaction, so that readers notice it', async () => {
    const [{ slot }, before] = [localnet.chain, (await balance()) ?? 0];
    const { result } = await call('requestAirdrop', WALLET, SOL);
    expect(localnet.chain.slot).toBe(slot + 1n);
    expect(localnet.chain.transaction(String(result))?.slot).toBe(slot);
    expect(await balance()).toBe(before + SOL);
  });

  it('has nobody who acts on their own', async () => {
    const { entries } = localnet.chain.world.journal;
    const { length } = entries;
    await call('localnet_advanceTime', 3_600);
    await call('localnet_advanceTime', 50);
    expect(entries.length).toBe(length);
  });
});

describe('A price', () => {
  it('is set by symbol or mint, and stays', async () => {
    expect((await call('localnet_setPrice', 'SOL', '12.5')).result).toBe(true);
    expect(oraclePrice('SOL')).toBe(12.5);
    await call('localnet_advanceTime', 86_400);
    expect(oraclePrice('SOL')).toBe(12.5);
    const usdc = localnet.chain.world.tokens.find(({ symbol }) => symbol === 'USDC')?.mint.address;
    await call('localnet_setPrice', usdc, '0.97');
    expect(oraclePrice('USDC')).toBe(0.97);
  });
});

describe('The emergency mode', () => {
  const emergencyOf = (address: Address, [offset]: readonly [number]) =>
    accountIn(localnet.chain, address).data[offset];

  // Offsets of the two flags in the accounts, as the public layouts of the program have them.
  it.each([
    ['a reserve', () => localnet.addresses.reserve, [4_864]],
    ['a market', () => localnet.addresses.market, [122]],
  ] as const)('of %s is switched on and off, in a slot of its own', async (_, address, offset) => {
    const { slot } = localnet.chain;
    const changed = new Set<Address>();
    const forget = localnet.chain.onSlot((_slot, addresses) => {
      for (const each of addresses) changed.add(each);
    });
    expect((await call('localnet_setEmergencyMode', address(), true)).result).toBe(true);
    expect(emergencyOf(address(), offset)).toBe(1);
    expect(localnet.chain.slot).toBe(slot + 1n);
    expect(changed.has(address())).toBe(true);
    await call('localnet_setEmergencyMode', address(), false);
    expect(emergencyOf(address(), offset)).toBe(0);
    forget();
  });

  it.each([
    [() => [WALLET, true], 'not a reserve or market'],
    [() => [localnet.addresses.vault, true], 'not a reserve or market'],
    [() => [localnet.addresses.reserve, 1], 'expected a boolean'],
    [() => [localnet.addresses.reserve], 'at least 2'],
  ])('bad input %# is refused', async (params, message) => {
    const { error } = await call('localnet_setEmergencyMode', ...params());
    expect(error?.code).toBe(-32_602);
    expect(error?.message).toContain(message);
  });
});

describe('The seed', () => {
  it('decides the world and its addresses', async () => {
    const other = await startControlledLocalnet({ scale: 1, seed: 'other', frozen: true });
    try {
      expect(Object.values(other.addresses)).not.toContain(localnet.addresses.vault);
      expect(other.chain.account(other.addresses.vault)).toBeDefined();
      expect(other.chain.account(localnet.addresses.vault)).toBeUndefined();
    } finally {
      await other.stop();
    }
  });
});

describe('Bad input', () => {
  it.each([
    [['NOPE', '1'], 'not the symbol or mint'],
    [['SOL', 'much'], 'decimal text'],
    [['SOL', '0.0'], 'above zero'],
    [['SOL', 12], 'expected a string'],
    [[], 'at least 1'],
  ])('price %j is refused', async (params, message) => {
    const before = oraclePrice('SOL');
    const { error } = await call('localnet_setPrice', ...params);
    expect(error?.code).toBe(-32_602);
    expect(error?.message).toContain(message);
    expect(oraclePrice('SOL')).toBe(before);
  });

  it.each([[0], [-5], ['60'], [1e12], [null]])('%j seconds are refused', async (seconds) => {
    const { slot } = localnet.chain;
    expect((await call('localnet_advanceTime', seconds)).error?.code).toBe(-32_602);
    expect(localnet.chain.slot).toBe(slot);
  });

  it('a chain that is not for tests has none of these methods', async () => {
    const rpc = await startRpcServer(localnet.chain);
    try {
      for (const method of [
        'localnet_setPrice',
        'localnet_setEmergencyMode',
        'localnet_advanceTime',
        'localnet_reset',
      ]) {
        expect((await ask(rpc.url, method, ['SOL', '1'])).error?.code).toBe(-32_601);
      }
    } finally {
      await rpc.close();
    }
  });
});

describe('The names of version 0.4', () => {
  it('are those of the same methods', async () => {
    expect((await call('demo_setPrice', 'SOL', '11.5')).result).toBe(true);
    expect(oraclePrice('SOL')).toBe(11.5);
    const { slot } = localnet.chain;
    expect((await call('demo_advanceTime', 60)).result).toBe(Number(slot) + 150);
    expect((await call('demo_setEmergencyMode', localnet.addresses.reserve, false)).result).toBe(true);
    const given = await call('demo_requestTokens', WALLET, localnet.addresses.tokenMint, 5);
    expect(localnet.chain.transaction(String(given.result))).toBeDefined();
    expect(Number((await call('demo_reset')).result)).toBe(Number(localnet.chain.slot));
    expect(oraclePrice('SOL')).not.toBe(11.5);
  });
});
