import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import {
  CLOSED,
  type LendingMoment,
  type LendingWorld,
  SOMEONE,
  startLendingWorld,
} from '../support/apps/lending-history-app.ts';
import { lendingEventsOf, writeLendingEvents } from '../support/history/lending-events.ts';

interface Fees {
  readonly ts: number;
  readonly solFees: string;
  readonly usdFees: string;
  readonly nativeFees: string;
}
type Days = Readonly<Record<string, readonly Readonly<Record<string, Fees>>[]>>;
interface Interest {
  readonly totalFeesEarnedObligation?: Readonly<Record<string, Omit<Fees, 'nativeFees'>>>;
  readonly totalFeesPaidObligation?: Readonly<Record<string, Omit<Fees, 'nativeFees'>>>;
  readonly historicalFeesObligation: Days;
}

const D = 86_400;
let world: LendingWorld;
let SOL: Address;
let USDC: Address;
let USDC_MINT: Address;

beforeAll(async () => {
  world = await startLendingWorld();
  const reserves = world.view.reservesOfMarket(world.market);
  const sol = reserves.find(({ value }) => value.liquidity.mintPubkey === WRAPPED_SOL_MINT);
  const dollars = reserves.find(({ value }) => value.liquidity.mintDecimals === 6n);
  if (sol === undefined || dollars === undefined) throw new Error('the market lacks a reserve');
  [SOL, USDC, USDC_MINT] = [sol.address, dollars.address, dollars.value.liquidity.mintPubkey];
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.forgetEvents();
});

async function interest(
  what: 'interest-fees' | 'interest-paid',
  query = '',
  obligation: string = CLOSED,
): Promise<Interest> {
  const url = `/v2/svc-market/${world.market}/obligations/${obligation}/${what}${query}`;
  const { status, body } = await world.get(url);
  expect([url, status, status === 200 ? null : body]).toEqual([url, 200, null]);
  return body as Interest;
}

const fees = ({ historicalFeesObligation }: Interest, mint: string) =>
  (historicalFeesObligation[mint] ?? []).flatMap((day) => Object.entries(day));
const day = (days: number) => world.ago(days * D).toISOString();

const moment = (
  daysAgo: number,
  solPrice: string | null,
  exchangeRate: string,
  borrowRate: string,
): LendingMoment => ({
  at: world.ago(daysAgo * D),
  solUsd: solPrice,
  reserves: { [SOL]: { price: solPrice, exchangeRate }, [USDC]: { price: '1', borrowRate } },
});

/** Four days ago 100 SOL came in as collateral, and 50 USDC were borrowed. Two and a half days ago half of it left. */
async function happened(prices: readonly (string | null)[] = ['10', '20', '25', '50']): Promise<void> {
  const [first = null, second = null, third = null, fourth = null] = prices;
  await world.record(HOUR, [
    moment(4, first, '1', '1'),
    moment(3, second, '0.8', '1.25'),
    moment(2.5, second, '0.8', '1.25'),
    moment(2, third, '0.5', '1.6'),
    moment(1, fourth, '0.4', '2'),
  ]);
  const side = (collateral: bigint, kind: 'deposit' | 'withdraw', daysAgo: number) => ({
    ...{ kind, side: 'collateral' as const, reserve: SOL, time: world.secondsAgo(daysAgo * D) },
    ...{ liquidity: collateral, collateral },
  });
  await world.happened([
    side(100_000_000_000n, 'deposit', 4),
    {
      ...{ kind: 'borrow', side: 'debt', reserve: USDC, time: world.secondsAgo(4 * D) },
      liquidity: 50_000_000n,
    },
    side(50_000_000_000n, 'withdraw', 2.5),
    {
      ...{ kind: 'repay', side: 'debt', reserve: USDC, time: world.secondsAgo(2 * D) },
      liquidity: 80_000_000n,
    },
    side(50_000_000_000n, 'withdraw', 1),
  ]);
  await world.read([SOMEONE, CLOSED]);
}

describe('interest of an obligation', () => {
  it('on deposits is the growth of its collateral, valued at the end of each day', async () => {
    await happened();
    const earned = await interest('interest-fees');
    // 100 x (1.25 - 1) at 20; 50 x (2 - 1.25) at 25; 50 x (2.5 - 2) at 50.
    expect(fees(earned, WRAPPED_SOL_MINT)).toEqual([
      [day(4), { ts: Date.parse(day(4)), nativeFees: '25', usdFees: '500', solFees: '25' }],
      [day(3), { ts: Date.parse(day(3)), nativeFees: '37.5', usdFees: '937.5', solFees: '37.5' }],
      [day(2), { ts: Date.parse(day(2)), nativeFees: '25', usdFees: '1250', solFees: '25' }],
    ]);
    expect(earned.totalFeesEarnedObligation).toEqual({
      [WRAPPED_SOL_MINT]: { ts: Date.parse(day(2)), usdFees: '2687.5', solFees: '87.5' },
    });
    expect(Object.keys(earned.historicalFeesObligation)).toEqual([WRAPPED_SOL_MINT]);
  });

  it('on debts is their growth until they are repaid', async () => {
    await happened();
    const paid = await interest('interest-paid');
    // 50 x (1.25 - 1) and 50 x (1.6 - 1.25), at one dollar.
    expect(fees(paid, USDC_MINT)).toEqual([
      [day(4), { ts: Date.parse(day(4)), nativeFees: '12.5', usdFees: '12.5', solFees: '0.625' }],
      [day(3), { ts: Date.parse(day(3)), nativeFees: '17.5', usdFees: '17.5', solFees: '0.7' }],
    ]);
    expect(paid.totalFeesPaidObligation).toEqual({
      [USDC_MINT]: { ts: Date.parse(day(3)), usdFees: '30', solFees: '1.325' },
    });
  });

  it('covers the days that start in the range', async () => {
    await happened();
    const days = async (query: string) =>
      fees(await interest('interest-fees', query), WRAPPED_SOL_MINT).map(([name]) => name);
    expect(await days(`?start=${day(3)}&end=${day(2)}`)).toEqual([day(3)]);
    expect(await days(`?start=${day(3.5)}&end=${day(1.5)}`)).toEqual([day(3), day(2)]);
    expect(await days('?start=2020-01-01&end=2021-01-01')).toEqual([]);
  });

  it('omits a day without a price, also from the total', async () => {
    await happened(['10', null, '25', '50']);
    const earned = await interest('interest-fees');
    expect(fees(earned, WRAPPED_SOL_MINT).map(([name]) => name)).toEqual([day(3), day(2)]);
    expect(earned.totalFeesEarnedObligation?.[WRAPPED_SOL_MINT]?.usdFees).toBe('2187.5');
  });

  it('of an obligation that never existed is refused', async () => {
    const url = `/v2/svc-market/${world.market}/obligations/${CLOSED}/interest-fees`;
    expect((await world.get(url)).status).toBe(404);
  });
});

describe('interest of obligations of the localnet', () => {
  it('sums to its total, and equals the growth between the points of their history', async () => {
    const { obligation } = world.localChain.addresses;
    const events = lendingEventsOf(world.localChain.worldChain, [obligation]);
    await writeLendingEvents(world.history.db, events);
    await world.read([obligation]);
    const touched = [...new Set(events.filter((e) => e.obligation === obligation).map((e) => e.reserve))];
    const at = (days: number, scale: number): LendingMoment => ({
      at: world.ago(days * D),
      solUsd: '20',
      reserves: Object.fromEntries(
        touched.map((reserve) => [
          reserve,
          { price: '3', exchangeRate: String(0.9 / scale), borrowRate: String(1.05 * scale) },
        ]),
      ),
    });
    const last = Math.max(...events.filter((e) => e.obligation === obligation).map((e) => e.time));
    const quiet = Math.floor((world.now.getTime() / 1_000 - last) / D);
    expect(quiet).toBeGreaterThanOrEqual(2);
    await world.record(HOUR, [at(2, 1), at(1, 1.25)]);
    const range = `?start=${day(2)}&end=${day(1)}`;
    const [earned, paid, history] = await Promise.all([
      interest('interest-fees', range, obligation),
      interest('interest-paid', range, obligation),
      world.get(
        `/v2/svc-market/${world.market}/obligations/${obligation}/metrics/history?start=${day(2)}&end=${world.ago(D - 1).toISOString()}`,
      ),
    ]);
    interface Position {
      readonly amount: string;
      readonly mintAddress: string;
    }
    const points = (history.body as { history: Record<'deposits' | 'borrows', readonly Position[]>[] })
      .history;
    expect(points).toHaveLength(2);
    const decimalsOf = (mint: string) =>
      Number(
        world.view.reservesOfMarket(world.market).find(({ value }) => value.liquidity.mintPubkey === mint)
          ?.value.liquidity.mintDecimals,
      );
    for (const [side, shown] of [
      ['deposits', earned],
      ['borrows', paid],
    ] as const) {
      const [before, after] = points;
      expect(before?.[side].length).toBeGreaterThan(0);
      for (const { mintAddress, amount } of before?.[side] ?? []) {
        const grown = after?.[side].find((each) => each.mintAddress === mintAddress);
        const [[, only] = []] = fees(shown, mintAddress);
        const units = exact(only?.nativeFees ?? '').mul(exact(`1${'0'.repeat(decimalsOf(mintAddress))}`));
        const growth = exact(grown?.amount ?? '').sub(exact(amount));
        expectNear(units, growth, `${side} ${mintAddress}`);
        const total = (shown.totalFeesEarnedObligation ?? shown.totalFeesPaidObligation)?.[mintAddress];
        expect([total?.usdFees, total?.solFees]).toEqual([only?.usdFees, only?.solFees]);
      }
    }
  });
});
