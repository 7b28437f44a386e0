import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { conditionOf } from '../../src/alerts/condition.ts';
import { figureOfDrift } from '../../src/alerts/figures.ts';
import { Readings } from '../../src/alerts/readings.ts';
import { WalletObligations } from '../../src/alerts/wallet-obligations.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import type { Session } from '../../src/services/request/session.ts';

/** A chain on which every read fails or finds nothing, and that counts them. */
class CountingChain {
  readonly loads: Address[] = [];
  readonly searches: Address[] = [];
  isDown = false;

  get session(): Session {
    const { loads, searches } = this;
    const failing = () => this.isDown;
    return {
      view: { moment: { slot: 1n }, positions: null },
      async load(_kind: string, address: Address) {
        loads.push(address);
        throw failing()
          ? new SluiceError('RPC_UNAVAILABLE', { method: 'getMultipleAccounts', attempts: 1 })
          : new SluiceError('ACCOUNT_NOT_FOUND', { account: 'obligation', address });
      },
      async obligationsOf(wallet: Address) {
        searches.push(wallet);
        if (failing())
          throw new SluiceError('RPC_UNAVAILABLE', { method: 'getProgramAccounts', attempts: 1 });
        return { found: [], unreadable: new Map() };
      },
    } as unknown as Session;
  }
}

const health = (subject: Address, below: number) =>
  conditionOf({ metric: 'OBLIGATION_HEALTH', subject, below: parseDecimal(String(below)) });
const ofWallet = (subject: Address) =>
  conditionOf({ metric: 'WALLET_HEALTH', subject, below: parseDecimal('1') });
const kindOf = (readings: Readings, condition: ReturnType<typeof health>) =>
  readings.of(condition).reading.kind;

describe('The figures of a View', () => {
  it('are read once per subject, however many alerts watch it', async () => {
    const chain = new CountingChain();
    const subjects = [testAddress(1), testAddress(2)];
    const conditions = Array.from({ length: 100 }, (_, i) => health(subjects[i % 2] ?? testAddress(1), i));
    const sources = { session: chain.session, wallets: new WalletObligations(), drift: null };
    const readings = await Readings.read(sources, conditions);
    expect(chain.loads.sort()).toEqual([...subjects].sort());
    // A closed obligation has no debt.
    for (const condition of conditions) expect(kindOf(readings, condition)).toBe('none');
  });

  it('are unknown when the chain cannot be read', async () => {
    const chain = new CountingChain();
    chain.isDown = true;
    const sources = { session: chain.session, wallets: new WalletObligations(), drift: null };
    const conditions = [health(testAddress(1), 1), ofWallet(testAddress(2))];
    const readings = await Readings.read(sources, conditions);
    for (const condition of conditions) expect(kindOf(readings, condition)).toBe('unknown');
  });

  it('of wallets are searched for once a minute, twenty wallets in a View at most', async () => {
    const chain = new CountingChain();
    let nowMs = 0;
    const wallets = new WalletObligations(() => nowMs);
    const conditions = Array.from({ length: 50 }, (_, i) => ofWallet(testAddress(i + 1)));
    const look = async () => {
      chain.searches.length = 0;
      const readings = await Readings.read({ session: chain.session, wallets, drift: null }, conditions);
      const unknown = conditions.filter((condition) => kindOf(readings, condition) === 'unknown');
      return [chain.searches.length, unknown.length];
    };
    expect(await look()).toEqual([20, 30]);
    expect(await look()).toEqual([20, 10]);
    expect(await look()).toEqual([10, 0]);
    expect(await look()).toEqual([0, 0]);
    nowMs = 60_000;
    expect(await look()).toEqual([20, 0]);
  });
});

describe('Drift', () => {
  const sample = (alarms: number) => ({
    checkedAt: '2026-01-01T00:00:00.000Z',
    kinds: { vault_aum: { alarms }, obligation_terms: { alarms: 0 } },
  });

  it('is the number of differences, and unknown before the first comparison', () => {
    expect(figureOfDrift(null).reading.kind).toBe('unknown');
    expect(figureOfDrift({ ...sample(3), checkedAt: null }).reading.kind).toBe('unknown');
    expect(figureOfDrift(sample(0)).reading).toMatchObject({ value: parseDecimal('0') });
    expect(figureOfDrift(sample(3))).toMatchObject({
      reading: { value: parseDecimal('3') },
      detail: 'In vault_aum',
    });
  });
});
