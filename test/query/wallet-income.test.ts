import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import {
  CLOSED,
  type LendingWorld,
  SOMEONE,
  startLendingWorld,
} from '../support/apps/lending-history-app.ts';
import { parseCsv } from '../support/contract/parse-csv.ts';

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

/** Collateral tokens grow from 1 to 2.5 SOL, and debts by the half and more. */
async function happened(firstSolPrice: string | null = '10', borrowRate: string | null = '1'): Promise<void> {
  const at = (daysAgo: number, price: string | null, exchangeRate: string, rate: string | null) => ({
    at: world.ago(daysAgo * D),
    solUsd: price,
    reserves: { [SOL]: { price, exchangeRate }, [USDC]: { price: '1', borrowRate: rate } },
  });
  await world.record(HOUR, [
    at(4, firstSolPrice, '1', borrowRate),
    at(3, '20', '0.8', borrowRate && '1.25'),
    at(2.5, '20', '0.8', borrowRate && '1.25'),
    at(2, '25', '0.5', borrowRate && '1.6'),
    at(1, '50', '0.4', borrowRate && '2'),
  ]);
  const time = (daysAgo: number) => world.secondsAgo(daysAgo * D);
  const collateral = { side: 'collateral', reserve: SOL } as const;
  const debt = { side: 'debt', reserve: USDC } as const;
  const [fifty, hundred] = [50_000_000_000n, 100_000_000_000n];
  await world.happened([
    { ...collateral, kind: 'deposit', time: time(4), liquidity: hundred, collateral: hundred },
    { ...debt, kind: 'borrow', time: time(4), liquidity: 50_000_000n, fee: 1_000_000n },
    { ...collateral, kind: 'withdraw', time: time(2.5), liquidity: 62_500_000_000n, collateral: fifty },
    { ...debt, kind: 'repay', time: time(2), liquidity: 81_600_000n },
    { ...collateral, kind: 'withdraw', time: time(1), liquidity: 125_000_000_000n, collateral: fifty },
  ]);
  await world.read([SOMEONE, CLOSED]);
}

interface Value {
  readonly usd: string | null;
  readonly sol: string | null;
}
interface Token {
  readonly tokenMint: string;
  readonly interestEarned: { readonly amount: string; readonly usd: string | null } | null;
  readonly interestPaid: { readonly amount: string; readonly usd: string | null } | null;
  readonly fees: { readonly amount: string } | null;
  readonly realizedGain: Value;
  readonly unrealizedGain: Value;
}
interface Income {
  readonly complete: boolean;
  readonly gaps: readonly { readonly reason: string; readonly address: string }[];
  readonly periods: readonly {
    readonly start: string;
    readonly end: string;
    readonly tokens: readonly Token[];
    readonly total: { readonly profit: Value };
  }[];
  readonly total: { readonly profit: Value };
}

const FIELDS = `complete gaps { reason address } total { profit { usd sol } } periods { start end total { profit { usd sol } }
  tokens { tokenMint interestEarned { amount usd } interestPaid { amount usd } fees { amount }
    realizedGain { usd sol } unrealizedGain { usd sol } } }`;

async function income(args: string): Promise<Income> {
  const { data, errors } = await world.query<{ wallet: { income: Income } }>(
    `query ($wallet: Address!) { wallet(address: $wallet) { income(${args}) { ${FIELDS} } } }`,
    { wallet: SOMEONE },
  );
  expect(errors).toEqual([]);
  return data.wallet.income;
}

const day = (daysAgo: number) => world.ago(daysAgo * D).toISOString();

describe('income by day', () => {
  it('has interest at the end of each day, and gains without it', async () => {
    await happened();
    const { periods, complete, gaps, total } = await income('by: DAY');
    expect([complete, gaps]).toEqual([true, []]);
    const solOf = ({ tokens }: Income['periods'][number]) =>
      tokens.find(({ tokenMint }) => tokenMint === WRAPPED_SOL_MINT);
    const shown = periods.map((period) => {
      const { interestEarned, realizedGain, unrealizedGain } = solOf(period) ?? {};
      return [
        period.start,
        interestEarned?.amount,
        interestEarned?.usd,
        realizedGain?.usd,
        unrealizedGain?.usd,
      ];
    });
    // 100 x (1.25 - 1) at 20, then 50 x (2 - 1.25) at 25, then 50 x (2.5 - 2) at 50.
    // Of 1000 + 500 USD the half is the cost of what left for 1250; 750 + 937.5 + 1250 that of what left for 6250.
    expect(shown.slice(0, 4)).toEqual([
      [day(4), '25', '500', '0', '1000'],
      [day(3), '37.5', '937.5', '500', '-187.5'],
      [day(2), '25', '1250', '0', '2500'],
      [day(1), '0', '0', '3312.5', '-3312.5'],
    ]);
    // 51 x (1.25 - 1) and 51 x (1.6 - 1.25), at a dollar, and the fee.
    const owed = periods.map(({ tokens }) => tokens.find(({ tokenMint }) => tokenMint === USDC_MINT));
    expect(owed.map((each) => [each?.interestPaid?.amount, each?.fees?.amount]).slice(0, 2)).toEqual([
      ['12.75', '1'],
      ['17.85', '0'],
    ]);
    expect(total.profit.usd).toBe('6468.4');
  });

  it('adds up to the profit of each day', async () => {
    await happened();
    const { periods } = await income('by: DAY');
    const { data } = await world.query<{
      wallet: {
        pnlHistory: {
          complete: boolean;
          priced: boolean;
          points: { timestamp: string; total: { pnl: Value }; lending: { value: Value } }[];
        };
      };
    }>(
      `query ($wallet: Address!) { wallet(address: $wallet) { pnlHistory { complete priced
        points { timestamp total { pnl { usd sol } } lending { value { usd sol } } } } } }`,
      { wallet: SOMEONE },
    );
    const { points, complete, priced } = data.wallet.pnlHistory;
    expect([complete, priced]).toEqual([true, true]);
    expect(
      points.map(({ timestamp, total, lending }) => [timestamp, total.pnl.usd, lending.value.usd]),
    ).toEqual([
      [day(4), '0', '0'],
      [day(3), '1486.25', '2436.25'],
      [day(2), '2718.4', '2418.4'],
      [day(1), '6468.4', '6250'],
      [day(0), '6468.4', '0'],
    ]);
    const grown = points
      .slice(1)
      .map(({ total }, i) => Number(total.pnl.usd) - Number(points[i]?.total.pnl.usd));
    expect(periods.slice(0, 4).map(({ total }) => Number(total.profit.usd))).toEqual(
      grown.map((each) => expect.closeTo(each, 9)),
    );
  });

  it('of a range has the costs of what happened before it', async () => {
    await happened();
    const { periods } = await income(`by: DAY, range: { start: "${day(1)}" }`);
    expect(periods[0]?.tokens.map(({ realizedGain }) => realizedGain.usd)).toEqual(['3312.5']);
    const all = await income('by: MONTH, method: AVERAGE');
    expect(all.total.profit.usd).toBe('6468.4');
  });

  it('refuses more periods than it may have', async () => {
    await happened();
    const { errors } = await world.query(
      `query ($wallet: Address!) { wallet(address: $wallet) {
        income(by: DAY, range: { start: "2020-01-01T00:00:00Z" }) { complete } } }`,
      { wallet: SOMEONE },
    );
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['NUMBER_OUT_OF_RANGE']);
  });
});

describe('what is not known', () => {
  it('is a gain without the price of its cost', async () => {
    await happened(null);
    const { complete, periods, total } = await income('by: DAY');
    expect([complete, total.profit.usd]).toEqual([false, null]);
    const gains = periods.map(
      ({ tokens }) => tokens.find(({ tokenMint }) => tokenMint === WRAPPED_SOL_MINT)?.realizedGain.usd,
    );
    expect(gains.slice(0, 4)).toEqual(['0', null, '0', null]);
  });

  it('is a debt without its rate, which is named', async () => {
    await happened('10', null);
    const { complete, gaps, periods } = await income('by: DAY');
    expect(complete).toBe(false);
    expect(gaps).toContainEqual({ reason: 'RATE_UNKNOWN', address: USDC });
    const owed = periods[0]?.tokens.find(({ tokenMint }) => tokenMint === USDC_MINT);
    expect(owed?.interestPaid).toBeNull();
  });

  it('is the part of a history that was not read', async () => {
    await happened();
    await world.read([SOMEONE, CLOSED], false);
    const { complete, gaps } = await income('by: DAY');
    expect(complete).toBe(false);
    expect(gaps.map(({ reason }) => reason)).toContain('TRANSACTIONS_MISSING');
    const { body } = await world.get(`/portfolio/${SOMEONE}/activity.csv`);
    const rows = parseCsv(String(body));
    expect(rows.at(-1)?.[1]).toBe('INCOMPLETE');
    expect(rows.at(-1)?.at(-1)).toBe(rows.at(-2)?.at(-1));
  });
});

describe('files', () => {
  const file = async (query: string) => {
    const { status, body, headers } = await world.get(`/portfolio/${SOMEONE}/${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { text: String(body), link: headers.get('link') };
  };

  it('continue after any row', async () => {
    await happened();
    const whole = (await file('activity.csv')).text;
    const [head, ...rows] = parseCsv(whole);
    expect(rows).toHaveLength(5);
    for (const [i, row] of rows.entries()) {
      const { text } = await file(`activity.csv?header=false&cursor=${row.at(-1)}`);
      expect(parseCsv(text)).toEqual(rows.slice(i + 1));
    }
    expect(head?.at(-1)).toBe('Cursor');
  });

  it('with a limit lead to the next one, in the same format', async () => {
    await happened();
    const whole = parseCsv((await file('activity.csv?format=koinly')).text);
    const parts: string[][] = [];
    let query = 'activity.csv?format=koinly&limit=2';
    for (let files = 0; ; files += 1) {
      const { text, link } = await file(query);
      const [head, ...rows] = parseCsv(text);
      expect(head).toEqual(whole[0]);
      parts.push(...rows);
      if (link === null) {
        expect(files).toBe(2);
        break;
      }
      query = /^<[^>]*\/(activity\.csv[^>]*)>; rel="next"$/.exec(link)?.[1] ?? 'no link';
    }
    expect(parts).toEqual(whole.slice(1));
  });

  it('have a loan with its fee, and the interest, for tax programs', async () => {
    await happened();
    const rows = parseCsv((await file('activity.csv?format=koinly&kinds=BORROW,REPAYMENT')).text);
    const minute = (daysAgo: number) => `${day(daysAgo).slice(0, 16).replace('T', ' ')} UTC`;
    // Date, sent, received, net worth, label.
    expect(rows.slice(1).map((row) => [row[0], row[1], row[3], row[7], row[9]])).toEqual([
      [minute(2), '81.6', '', '81.6', 'Loan repayment'],
      [minute(4), '', '51', '51', 'Loan'],
      [minute(4), '1', '', '1', 'Loan fee'],
    ]);
    const interest = parseCsv((await file('income.csv?format=cointracking&by=DAY')).text);
    // Type, bought, sold, date.
    expect(interest.slice(1).map((row) => [row[0], row[1], row[3], row[10]?.slice(0, 10)])).toEqual(
      expect.arrayContaining([
        ['Lending Income', '25', '', day(4).slice(0, 10)],
        ['Borrowing Fee', '', '12.75', day(4).slice(0, 10)],
      ]),
    );
  });

  it('as JSON lines have the entries of the list', async () => {
    await happened();
    const { body } = await world.get(`/portfolio/${SOMEONE}/activity`);
    const { text } = await file('activity.jsonl');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((body as { result: object[] }).result);
  });
});
