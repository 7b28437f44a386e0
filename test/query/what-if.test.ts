import { reserve } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { datedPrice, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

/** Figures of a scenario against the same figures after the oracle has really moved. */

const { klend } = MAINNET_PROGRAMS;
const ENV = { VAULT_REFRESH_MS: '3600000', DISCOVERY_INTERVAL_MS: '86400000' };

const localChain = new TestChain();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ chain: localChain, env: ENV });
});
afterAll(() => gateway?.stop());

const reserveAt = (address: Address) => reserve.decode(accountIn(localChain, address), klend);
const scope = () => reserveAt(localChain.addresses.depositReserve).config.tokenInfo.scopeConfiguration;
const mint = () => reserveAt(localChain.addresses.depositReserve).liquidity.mintPubkey;

/** Mints of the obligation's positions whose price is made with the feed: all of them move with it. */
function moved(): Address[] {
  const [feed = 0] = scope().priceChain;
  const { depositReserve, borrowReserve } = localChain.addresses;
  return [depositReserve, borrowReserve]
    .map(reserveAt)
    .filter(({ config }) => config.tokenInfo.scopeConfiguration.priceChain.includes(feed))
    .map(({ liquidity }) => liquidity.mintPubkey);
}

async function moveFeed(percent: bigint): Promise<void> {
  const { priceFeed, priceChain } = scope();
  const [feed = 0] = priceChain;
  const account = accountIn(localChain, priceFeed);
  const entry = oraclePrices.decode(account, SCOPE_PROGRAM).prices[feed] ?? expect.fail('no price');
  const data = account.data.slice();
  datedPrice.write(viewOf(data), oraclePrices.offsetOf('prices') + feed * datedPrice.size, {
    price: { value: (entry.price.value * percent) / 100n },
  });
  localChain.place(priceFeed, { ...account, data });
  await followed();
}

/** Waits for a View that has read the oracle. */
async function followed(): Promise<void> {
  const { priceFeed } = scope();
  const { data } = accountIn(localChain, priceFeed);
  await gateway.view(
    (view) => Buffer.compare(view.get('oracle', priceFeed)?.data ?? Buffer.of(), data) === 0,
  );
}

interface Amount {
  readonly usd: string | null;
  readonly amount: string;
}
interface Supposed {
  readonly healthFactor: string | null;
  readonly liquidatable: boolean | null;
  readonly loanToValue: string | null;
  readonly netValueUsd: string | null;
  readonly depositedUsd: string | null;
  readonly borrowedUsd: string | null;
  readonly badDebtUsd: string | null;
  readonly unknown: string | null;
  readonly liquidation: { readonly bonus: string; readonly repaid: Amount } | null;
  readonly deposits: readonly { readonly reserveAddress: Address; readonly amount: Amount | null }[];
  readonly borrows: readonly { readonly reserveAddress: Address; readonly amount: Amount | null }[];
}
interface Loan {
  readonly healthFactor: string;
  readonly liquidatable: boolean;
  readonly stats: { readonly netAccountValueUsd: string; readonly loanToValue: string };
  readonly whatIf: Supposed | null;
}

const SUPPOSED = `healthFactor liquidatable loanToValue netValueUsd depositedUsd borrowedUsd badDebtUsd unknown
  liquidation { bonus repaid { usd amount } } deposits { reserveAddress amount { usd amount } } borrows { reserveAddress amount { usd amount } }`;

async function ask(variables: Record<string, unknown>) {
  return await gateway.query<{ obligation: Loan }>(
    `query ($obligation: Address!, $prices: [PriceShock!], $rates: [ReserveRates!], $days: Int) {
      obligation(address: $obligation) {
        healthFactor liquidatable stats { netAccountValueUsd loanToValue }
        whatIf(prices: $prices, rates: $rates, days: $days) { ${SUPPOSED} } } }`,
    { variables: { obligation: localChain.addresses.obligation, ...variables } },
  );
}

async function loan(variables: Record<string, unknown> = {}): Promise<Loan & { readonly whatIf: Supposed }> {
  const { data, errors } = await ask(variables);
  expect(errors).toEqual([]);
  const { whatIf } = data.obligation;
  return { ...data.obligation, whatIf: whatIf ?? expect.fail('no what-if') };
}

describe('an obligation under a shock', () => {
  beforeEach(async () => {
    localChain.restore();
    await followed();
  });
  afterEach(() => localChain.restore());

  it('without changes is the obligation now', async () => {
    const { healthFactor, liquidatable, stats, whatIf } = await loan();
    expect(whatIf).toMatchObject({
      healthFactor,
      liquidatable,
      loanToValue: stats.loanToValue,
      netValueUsd: stats.netAccountValueUsd,
      badDebtUsd: '0',
      unknown: null,
      liquidation: null,
    });
  });

  it.each([-20n, -60n, 15n])('of %s percent is what it is after the oracle has moved so', async (percent) => {
    const prices = moved().map((each) => ({ mint: each, changePct: String(percent) }));
    const { whatIf } = await loan({ prices });
    await moveFeed(100n + percent);
    const after = await loan();
    const near = (text: string | null) => Number(text).toPrecision(7);
    expect(near(whatIf.healthFactor)).toBe(near(after.healthFactor));
    expect(near(whatIf.netValueUsd)).toBe(near(after.stats.netAccountValueUsd));
    expect(near(whatIf.loanToValue)).toBe(near(after.stats.loanToValue));
    expect(whatIf.liquidatable).toBe(after.liquidatable);
    expect(whatIf.liquidation === null).toBe(!after.liquidatable);
    if (percent === -60n) {
      expect(whatIf.liquidatable).toBe(true);
      expect(Number(whatIf.liquidation?.repaid.usd)).toBeGreaterThan(0);
    }
  });

  it('adds up, and tells the debt that is not covered', async () => {
    const { whatIf } = await loan({ prices: [{ mint: mint(), usd: '0' }] });
    const sum = (positions: Supposed['deposits']) =>
      positions.reduce((all, { amount }) => all.add(parseDecimal(amount?.usd ?? '')), integer(0n));
    expect(toDecimalString(sum(whatIf.deposits))).toBe(whatIf.depositedUsd);
    expect(toDecimalString(sum(whatIf.borrows))).toBe(whatIf.borrowedUsd);
    const short = parseDecimal(whatIf.borrowedUsd ?? '').sub(parseDecimal(whatIf.depositedUsd ?? ''));
    expect(whatIf.badDebtUsd).toBe(toDecimalString(short));
  });

  it('accrues interest at the given rates before the prices change', async () => {
    const { whatIf: now } = await loan();
    const used = new Set([...now.deposits, ...now.borrows].map(({ reserveAddress }) => reserveAddress));
    const rates = [...used].map((each) => ({ reserve: each, borrowApy: '1', supplyApy: '0' }));
    const { whatIf: later } = await loan({ days: 365, rates });
    expect(Number(later.borrows[0]?.amount?.amount)).toBeCloseTo(
      Number(now.borrows[0]?.amount?.amount) * 2,
      2,
    );
    expect(Number(later.depositedUsd)).toBeCloseTo(Number(now.depositedUsd), 2);
    expect(Number(later.healthFactor)).toBeCloseTo(Number(now.healthFactor) / 2, 6);
    const { whatIf: current } = await loan({ days: 30 });
    expect(Number(current.borrowedUsd)).toBeGreaterThan(Number(now.borrowedUsd));
  });

  it.each<[string, string, () => Record<string, unknown>]>([
    ['a fall below nothing', 'SHOCK_INVALID', () => ({ prices: [{ mint: mint(), changePct: '-100.5' }] })],
    ['a negative price', 'SHOCK_INVALID', () => ({ prices: [{ mint: mint(), usd: '-1' }] })],
    [
      'both a change and a price',
      'SHOCK_INVALID',
      () => ({ prices: [{ mint: mint(), usd: '1', changePct: '1' }] }),
    ],
    ['neither', 'SHOCK_INVALID', () => ({ prices: [{ mint: mint() }] })],
    [
      'a mint twice',
      'SHOCK_INVALID',
      () => ({
        prices: [
          { mint: mint(), usd: '1' },
          { mint: mint(), usd: '2' },
        ],
      }),
    ],
    [
      'a mint of no reserve',
      'SHOCK_MINT_UNKNOWN',
      () => ({ prices: [{ mint: localChain.addresses.emptyWallet, usd: '1' }] }),
    ],
    ['too many days', 'NUMBER_OUT_OF_RANGE', () => ({ days: 3_651 })],
    ['days in the past', 'NUMBER_OUT_OF_RANGE', () => ({ days: -1 })],
    [
      'a negative rate',
      'RATE_INVALID',
      () => ({ rates: [{ reserve: localChain.addresses.borrowReserve, borrowApy: '-0.1' }] }),
    ],
    [
      'rates of something that is no reserve',
      'KLEND_RESERVE_NOT_FOUND',
      () => ({ rates: [{ reserve: localChain.addresses.emptyWallet, borrowApy: '0.1' }] }),
    ],
  ])('with %s is a coded error', async (_, code, variables) => {
    const { data, errors } = await ask(variables());
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual([code]);
    expect(data.obligation.whatIf).toBeNull();
    const [shock] = (variables().prices ?? []) as { mint?: string }[];
    if (shock?.mint) expect(errors[0]?.message).toContain(shock.mint);
  });
});

describe('a wallet under a shock', () => {
  interface Totals {
    readonly depositedUsd: string;
    readonly borrowedUsd: string;
    readonly vaultsUsd: string;
    readonly netValueUsd: string;
  }
  interface Wallet {
    readonly netValue: { readonly usd: string };
    readonly whatIf: {
      readonly before: Totals;
      readonly after: Totals;
      readonly obligations: readonly { readonly netValueUsd: string }[];
      readonly vaultPositions: readonly {
        readonly value: { readonly usd: string; readonly amount: string };
      }[];
    };
  }

  async function wallet(variables: Record<string, unknown>): Promise<Wallet> {
    const totals = '{ depositedUsd borrowedUsd vaultsUsd netValueUsd }';
    const { data, errors } = await gateway.query<{ wallet: Wallet }>(
      `query ($wallet: Address!, $prices: [PriceShock!], $days: Int) { wallet(address: $wallet) {
        netValue { usd }
        whatIf(prices: $prices, days: $days) { before ${totals} after ${totals}
          obligations { netValueUsd } vaultPositions { value { usd amount } } } } }`,
      { variables: { wallet: localChain.addresses.wallet, ...variables } },
    );
    expect(errors).toEqual([]);
    return data.wallet;
  }

  it('has the totals of now before it, and sums of all positions after it', async () => {
    const vaultMint = localChain.addresses.tokenMint;
    const { netValue, whatIf } = await wallet({ prices: [{ mint: vaultMint, changePct: '-50' }] });
    expect(whatIf.before.netValueUsd).toBe(netValue.usd);
    expect(whatIf.obligations.length).toBeGreaterThan(0);
    expect(whatIf.vaultPositions.length).toBeGreaterThan(0);
    const parts = [
      ...whatIf.obligations.map((each) => each.netValueUsd),
      ...whatIf.vaultPositions.map(({ value }) => value.usd),
    ];
    const sum = parts.reduce((all, each) => all.add(parseDecimal(each)), integer(0n));
    expect(Number(whatIf.after.netValueUsd)).toBeCloseTo(Number(toDecimalString(sum)), 6);
    expect(Number(whatIf.after.vaultsUsd)).toBeLessThan(Number(whatIf.before.vaultsUsd));
  });

  it('has vault shares grow with the days', async () => {
    const now = await wallet({});
    const later = await wallet({ days: 365 });
    expect(now.whatIf.after).toEqual(now.whatIf.before);
    for (const [i, { value }] of later.whatIf.vaultPositions.entries()) {
      expect(Number(value.amount)).toBeGreaterThan(Number(now.whatIf.vaultPositions[i]?.value.amount));
    }
  });
});
