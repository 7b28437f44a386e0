import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedChain, startControlledChain } from '../../src/demo/embedded-chain.ts';
import { startDemoRpc } from '../../src/demo/rpc/server.ts';
import { oraclePrices } from '../../src/programs/scope/oracle-prices.ts';
import { testAddress } from '../support/ledger/fake-ledger.ts';
import { accountIn } from '../support/ledger/test-ledger.ts';

const SOL = 1_000_000_000;
const WALLET = testAddress(7);

let chain: EmbeddedChain;

// One chain for all tests: generating a world takes long. A test relies on nothing that others change.
beforeAll(async () => {
  chain = await startControlledChain({ scale: 1, seed: 'sluice', frozen: true });
});
afterAll(() => chain.stop());

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

const call = (method: string, ...params: unknown[]) => ask(chain.rpc.url, method, params);
const balance = async () =>
  ((await call('getBalance', WALLET)).result as { readonly value: number } | undefined)?.value;

/** USD per token as the oracle's account has it. */
function oraclePrice(symbol: string): number {
  const { tokens, oracle } = chain.ledger.world;
  const token = tokens.find((each) => each.symbol === symbol) ?? expect.fail(symbol);
  const account = accountIn(chain.ledger, oracle.address);
  const { prices } = oraclePrices.decode(account, account.owner);
  const { value = 0n, exp = 0n } = prices[token.feed.index]?.price ?? {};
  return Number(value) / 10 ** Number(exp);
}

// First, because prices move while the other tests advance time.
describe('A reset', () => {
  it('restores accounts and prices, and time does not go back', async () => {
    const price = oraclePrice('SOL');
    const { wallet } = chain.addresses;
    const lamports = chain.ledger.account(wallet)?.lamports;
    await call('requestAirdrop', WALLET, SOL);
    await call('requestAirdrop', wallet, SOL);
    await call('demo_setPrice', 'SOL', '1');
    const { slot } = chain.ledger;
    const changed = new Set<Address>();
    chain.ledger.onSlot((_, addresses) => {
      for (const address of addresses) changed.add(address);
    });
    const { result } = await call('demo_reset');
    expect(BigInt(String(result))).toBeGreaterThan(slot);
    expect(await balance()).toBe(0);
    expect(chain.ledger.account(wallet)?.lamports).toBe(lamports);
    expect(Math.abs(oraclePrice('SOL') / price - 1)).toBeLessThan(0.01);
    expect(changed.has(WALLET)).toBe(true);
    expect((await call('requestAirdrop', WALLET, 2 * SOL)).error).toBeUndefined();
    expect(await balance()).toBe(2 * SOL);
  });
});

describe('A frozen chain', () => {
  it('stands still until a request advances it', async () => {
    const { slot } = chain.ledger;
    chain.ledger.tick();
    expect(chain.ledger.slot).toBe(slot);
    expect((await call('demo_advanceTime', 60)).result).toBe(Number(slot) + 150);
    const before = await call('getBlockTime', Number(slot));
    const after = await call('getBlockTime', Number(slot) + 150);
    expect(Number(after.result) - Number(before.result)).toBe(60);
  });

  it('enters the next slot with each transaction, so that readers notice it', async () => {
    const [{ slot }, before] = [chain.ledger, (await balance()) ?? 0];
    const { result } = await call('requestAirdrop', WALLET, SOL);
    expect(chain.ledger.slot).toBe(slot + 1n);
    expect(chain.ledger.transaction(String(result))?.slot).toBe(slot);
    expect(await balance()).toBe(before + SOL);
  });

  it('has nobody who acts on their own', async () => {
    const { entries } = chain.ledger.world.journal;
    const { length } = entries;
    await call('demo_advanceTime', 3_600);
    await call('demo_advanceTime', 50);
    expect(entries.length).toBe(length);
  });
});

describe('A price', () => {
  it('is set by symbol or mint, and stays', async () => {
    expect((await call('demo_setPrice', 'SOL', '12.5')).result).toBe(true);
    expect(oraclePrice('SOL')).toBe(12.5);
    await call('demo_advanceTime', 86_400);
    expect(oraclePrice('SOL')).toBe(12.5);
    const usdc = chain.ledger.world.tokens.find(({ symbol }) => symbol === 'USDC')?.mint.address;
    await call('demo_setPrice', usdc, '0.97');
    expect(oraclePrice('USDC')).toBe(0.97);
  });
});

describe('The seed', () => {
  it('decides the world and its addresses', async () => {
    const other = await startControlledChain({ scale: 1, seed: 'other', frozen: true });
    try {
      expect(Object.values(other.addresses)).not.toContain(chain.addresses.vault);
      expect(other.ledger.account(other.addresses.vault)).toBeDefined();
      expect(other.ledger.account(chain.addresses.vault)).toBeUndefined();
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
    const { error } = await call('demo_setPrice', ...params);
    expect(error?.code).toBe(-32_602);
    expect(error?.message).toContain(message);
    expect(oraclePrice('SOL')).toBe(before);
  });

  it.each([[0], [-5], ['60'], [1e12], [null]])('%j seconds are refused', async (seconds) => {
    const { slot } = chain.ledger;
    expect((await call('demo_advanceTime', seconds)).error?.code).toBe(-32_602);
    expect(chain.ledger.slot).toBe(slot);
  });

  it('a chain that is not for tests has none of these methods', async () => {
    const rpc = await startDemoRpc(chain.ledger);
    try {
      for (const method of ['demo_setPrice', 'demo_advanceTime', 'demo_reset']) {
        expect((await ask(rpc.url, method, ['SOL', '1'])).error?.code).toBe(-32_601);
      }
    } finally {
      await rpc.close();
    }
  });
});
