import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import {
  type LendingMoment,
  type LendingWorld,
  SOMEONE,
  startLendingWorld,
} from '../support/apps/lending-history-app.ts';
import { named } from '../support/history/samples.ts';

type Fields = Readonly<Record<string, string>>;
interface Entry {
  readonly timestamp: string;
  readonly refreshedStats: Fields;
  readonly deposits: readonly Fields[];
  readonly borrows: readonly Fields[];
  readonly tag: number;
  readonly obligationSolValues: Fields;
}
interface History {
  readonly obligation: string;
  readonly history: readonly Entry[];
}

let world: LendingWorld;
let SOL: Address;
let USDC: Address;
let USDC_MINT: Address;
/** A Multiply obligation that has been closed. */
let GONE: Address;

beforeAll(async () => {
  world = await startLendingWorld();
  const reserves = world.view.reservesOfMarket(world.market);
  const sol = reserves.find(({ value }) => value.liquidity.mintPubkey === WRAPPED_SOL_MINT);
  const dollars = reserves.find(({ value }) => value.liquidity.mintDecimals === 6n);
  if (sol === undefined || dollars === undefined) throw new Error('the market lacks a reserve');
  [SOL, USDC, USDC_MINT] = [sol.address, dollars.address, dollars.value.liquidity.mintPubkey];
  const key = { tag: 1, id: 0, seed1: WRAPPED_SOL_MINT, seed2: USDC_MINT };
  GONE = obligationAddress(MAINNET_PROGRAMS.klend, SOMEONE, world.market, key).address;
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.forgetEvents();
});

const H = 3_600;
const path = (what: string, obligation: string = GONE, market: string = world.market) =>
  `/v2/svc-market/${market}/obligations/${obligation}/${what}`;

async function get<T>(url: string): Promise<T> {
  const { status, body } = await world.get(url);
  expect([status, body]).toEqual([200, body]);
  return body as T;
}

/** The last minute of the hour that ended so many hours ago. */
const hour = (
  ago: number,
  solUsd: string | null,
  exchangeRate: string,
  borrowRate: string | null,
): LendingMoment => ({
  at: world.ago(ago * H + 60),
  solUsd,
  reserves: {
    [SOL]: { price: solUsd, exchangeRate },
    [USDC]: { price: '1', borrowRate },
  },
});

const deposit = (hoursAgo: number) => ({
  kind: 'deposit' as const,
  side: 'collateral' as const,
  obligation: GONE,
  reserve: SOL,
  time: world.secondsAgo(hoursAgo * H),
  liquidity: 10_000_000_000n,
  collateral: 10_000_000_000n,
});
const borrow = (hoursAgo: number) => ({
  kind: 'borrow' as const,
  side: 'debt' as const,
  obligation: GONE,
  reserve: USDC,
  time: world.secondsAgo(hoursAgo * H),
  liquidity: 300_000_000n,
  fee: 3_000_000n,
});

/** 10 SOL in, 300 USDC out (303 owed); collateral grows by a quarter and debt by a tenth; then everything is undone. */
async function aLife(): Promise<void> {
  await world.record(HOUR, [
    hour(5, '100', '1', '1'),
    hour(4, '100', '1', '1'),
    hour(3, '100', '1', '1'),
    hour(2, '120', '0.8', '1.1'),
    hour(1, '120', '0.8', '1.1'),
    hour(0, '120', '0.8', '1.1'),
  ]);
  await world.happened([
    deposit(4.5),
    borrow(3.5),
    { ...borrow(1.5), kind: 'repay', liquidity: 333_300_000n, fee: 0n },
    { ...deposit(1.5), kind: 'withdraw', liquidity: 12_500_000_000n },
  ]);
  await world.read([GONE, SOMEONE]);
}

const summary = ({
  timestamp,
  refreshedStats: stats,
  deposits,
  borrows,
  obligationSolValues: inSol,
}: Entry) => ({
  timestamp,
  deposits: deposits.map(({ amount, mintAddress, marketValueRefreshed }) => [
    mintAddress,
    amount,
    marketValueRefreshed,
  ]),
  borrows: borrows.map(({ amount, mintAddress, marketValueRefreshed }) => [
    mintAddress,
    amount,
    marketValueRefreshed,
  ]),
  stats: [stats.userTotalDeposit, stats.userTotalBorrow, stats.netAccountValue, stats.loanToValue],
  limits: [stats.borrowLimit, stats.borrowLiquidationLimit],
  sol: [inSol.collateralValueSol, inSol.debtValueSol, inSol.netValueSol, inSol.solPrice],
});

describe('an obligation over time', () => {
  it('is computed from its events and the recorded rates, prices and configuration', async () => {
    await aLife();
    const { obligation, history } = await get<History>(path('metrics/history'));
    expect(obligation).toBe(GONE);
    const at = (hoursAgo: number) => world.ago(hoursAgo * H).toISOString();
    expect(history.slice(0, -1).map(summary)).toEqual([
      {
        timestamp: at(5),
        deposits: [[WRAPPED_SOL_MINT, '10000000000', '1000']],
        borrows: [],
        stats: ['1000', '0', '1000', '0'],
        limits: ['800', '850'],
        sol: ['10', '0', '10', '100'],
      },
      {
        timestamp: at(4),
        deposits: [[WRAPPED_SOL_MINT, '10000000000', '1000']],
        borrows: [[USDC_MINT, '303000000', '303']],
        stats: ['1000', '303', '697', '0.303'],
        limits: ['800', '850'],
        sol: ['10', '3.03', '6.97', '100'],
      },
      {
        timestamp: at(3),
        deposits: [[WRAPPED_SOL_MINT, '12500000000', '1500']],
        borrows: [[USDC_MINT, '333300000', '333.3']],
        stats: ['1500', '333.3', '1166.7', '0.2222'],
        limits: ['1200', '1275'],
        sol: ['12.5', '2.7775', '9.7225', '120'],
      },
      ...[2, 1].map((hours) => ({
        timestamp: at(hours),
        deposits: [],
        borrows: [],
        stats: ['0', '0', '0', '0'],
        limits: ['0', '0'],
        sol: ['0', '0', '0', '120'],
      })),
    ]);
    const last = history.at(-1);
    expect([last?.timestamp, last?.refreshedStats.netAccountValue]).toEqual([world.now.toISOString(), '0']);
    // The key that leads to its address tells what it was for.
    expect(new Set(history.map(({ tag }) => tag))).toEqual(new Set([1]));
    expect(history[1]?.obligationSolValues.timestampObligation).toBe(world.ago(3 * H + 60).toISOString());
  });

  it('stays inside the range, and includes the current bucket only if it is in the range', async () => {
    await aLife();
    const range = `?start=${world.ago(4 * H).toISOString()}&end=${world.ago(2 * H).getTime()}`;
    const { history } = await get<History>(path(`metrics/history${range}`));
    expect(history.map(({ timestamp }) => timestamp)).toEqual(
      [4, 3].map((hours) => world.ago(hours * H).toISOString()),
    );
    const before = `?end=${world.ago(10 * H).getTime()}`;
    expect((await get<History>(path(`metrics/history${before}`))).history).toEqual([]);
  });

  it('loses debt and collateral to a liquidation, and continues after it was closed and reopened', async () => {
    await world.record(
      HOUR,
      [5, 4, 3, 2, 1, 0].map((ago) => hour(ago, '100', '1', '1')),
    );
    await world.happened([
      deposit(4.5),
      borrow(4.4),
      { ...borrow(3.5), kind: 'liquidation', liquidity: 100_000_000n, fee: 0n },
      { ...deposit(3.5), kind: 'liquidation', liquidity: 1_050_000_000n, collateral: 1_050_000_000n },
      { ...borrow(2.5), kind: 'repay', liquidity: 203_000_000n, fee: 0n },
      { ...deposit(2.5), kind: 'withdraw', liquidity: 8_950_000_000n, collateral: 8_950_000_000n },
      { ...deposit(1.5), liquidity: 2_000_000_000n, collateral: 2_000_000_000n },
    ]);
    await world.read([GONE]);
    const { history } = await get<History>(path('metrics/history'));
    const nets = history.map(({ refreshedStats: { userTotalDeposit, userTotalBorrow } }) => [
      userTotalDeposit,
      userTotalBorrow,
    ]);
    expect(nets.slice(0, 5)).toEqual([
      ['1000', '303'],
      ['895', '203'],
      ['0', '0'],
      ['200', '0'],
      ['200', '0'],
    ]);
    // In: 1000 and 203 and 200. Out: 300 and 895. The liquidation, 105 for 100, is neither.
    const all = await get<Fields>(path('pnl?positionMode=obligation_all_time'));
    expect(all.invested).toEqual({ usd: '208', sol: '2.08' });
  });

  it('omits buckets before the first recorded price, and is not complete', async () => {
    await world.record(HOUR, [hour(3, null, '1', '1'), hour(2, '100', '1', '1'), hour(1, '100', '1', '1')]);
    await world.happened([deposit(3.5)]);
    await world.read([GONE]);
    const { history } = await get<History>(path('metrics/history'));
    expect(history.map(({ timestamp }) => timestamp)).toEqual(
      [3, 2, 0].map((hours) => world.ago(hours * H).toISOString()),
    );
  });

  it('values liquid-staking tokens at their stake rate when asked to', async () => {
    const staked = world.view
      .reservesOfMarket(world.market)
      .find(
        ({ value }) => value.liquidity.mintPubkey !== WRAPPED_SOL_MINT && value.liquidity.mintDecimals === 9n,
      );
    if (staked === undefined) throw new Error('the market has no liquid-staking token');
    const { address, value } = staked;
    const mint = value.liquidity.mintPubkey;
    await world.record(HOUR, [
      {
        at: world.ago(H + 60),
        solUsd: '100',
        reserves: { [address]: { price: '118' } },
        stakeRates: { [mint]: '1.2' },
      },
    ]);
    await world.happened([{ ...deposit(1.5), reserve: address }]);
    await world.read([GONE]);
    const [byPrice] = (await get<History>(path('metrics/history'))).history;
    const [byRate] = (await get<History>(path('metrics/history?useStakeRateForObligation=true'))).history;
    expect([
      byPrice?.obligationSolValues.collateralValueSol,
      byRate?.obligationSolValues.netValueSol,
    ]).toEqual(['11.8', '12']);
    expect(byRate?.refreshedStats).toEqual(byPrice?.refreshedStats);
  });

  it('is rejected for an unknown obligation, one of another market, and without history', async () => {
    const unknown = named('nobody');
    const other = [...world.view.all('market').keys()].find((market) => market !== world.market) ?? '';
    await aLife();
    const { obligation } = world.localChain.addresses;
    const cases: readonly (readonly [string, number, string, string])[] = [
      [path('metrics/history', unknown), 500, 'KLEND_OBLIGATION_NOT_FOUND', unknown],
      [path('metrics/history', world.market), 500, 'KLEND_OBLIGATION_NOT_FOUND', world.market],
      [path('metrics/history', obligation, other), 500, 'BAD_REQUEST', `belongs to market ${world.market}`],
      [path('metrics/history', GONE, other), 500, 'BAD_REQUEST', `belongs to market ${world.market}`],
      [path('metrics/history', GONE, unknown), 500, 'KLEND_MARKET_NOT_FOUND', unknown],
      [path('pnl', unknown), 400, 'KLEND_OBLIGATION_NOT_FOUND', unknown],
      [path('pnl', GONE, other), 400, 'BAD_REQUEST', `belongs to market ${world.market}`],
    ];
    for (const [url, status, code, message] of cases) {
      const answer = await world.get(url);
      expect([answer.status, answer.headers.get('x-error-code')], url).toEqual([status, code]);
      expect((answer.body as Fields).error).toContain(message);
    }
    world.mode = 'off';
    try {
      for (const what of ['metrics/history', 'pnl']) {
        const answer = await world.get(path(what));
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'HISTORY_DISABLED']);
      }
    } finally {
      world.mode = 'ready';
    }
  });
});

describe('its profit and loss', () => {
  it('is the current net value less the net investment, at the prices at each time', async () => {
    await aLife();
    // In: 10 SOL at 100, 333.3 USDC. Out: 300 USDC, 12.5 SOL at 120.
    expect(await get(path('pnl?positionMode=obligation_all_time'))).toEqual({
      usd: '466.7',
      sol: '2.7225',
      invested: { usd: '-466.7', sol: '-2.7225' },
    });
    expect(await get(path('pnl'))).toEqual({ usd: '0', sol: '0', invested: { usd: '0', sol: '0' } });
  });

  it('is unknown without a recorded price', async () => {
    await world.happened([deposit(4.5)]);
    await world.read([GONE]);
    expect(await get(path('pnl?positionMode=obligation_all_time'))).toEqual({
      usd: '0',
      sol: '0',
      invested: { usd: '0', sol: '0' },
    });
  });
});

describe('its transactions', () => {
  const PAGE = `query ($wallet: Address!, $first: Int, $after: String, $last: Int, $before: String) {
    wallet(address: $wallet) {
      lendingTransactions(first: $first, after: $after, last: $last, before: $before) {
        totalCount complete pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id kind side obligationAddress valueUsd createdAt amount { amount usd sol token { mint } } }
      }
    }
  }`;
  interface Page {
    readonly wallet: {
      readonly lendingTransactions: {
        readonly totalCount: number;
        readonly complete: boolean;
        readonly pageInfo: Readonly<Record<string, string | boolean>>;
        readonly nodes: readonly { id: string; kind: string; valueUsd: string | null; amount: Fields }[];
      };
    };
  }

  it('are paged, newest first, at the prices at that time', async () => {
    await aLife();
    const ask = async (variables: Readonly<Record<string, unknown>>) => {
      const { data, errors } = await world.query<Page>(PAGE, { wallet: SOMEONE, ...variables });
      expect(errors).toEqual([]);
      return data.wallet.lendingTransactions;
    };
    world.statements.length = 0;
    const first = await ask({ first: 3 });
    // Its obligations and their cursors, the page, the count, rates and prices.
    expect(world.statements.length).toBeLessThanOrEqual(6);
    expect(
      first.nodes.map(({ kind, valueUsd, amount }) => [kind, amount.amount, valueUsd, amount.sol]),
    ).toEqual([
      ['WITHDRAW', '12.5', '1500', '12.5'],
      ['REPAY', '333.3', '333.3', '2.7775'],
      ['BORROW', '300', '300', '3'],
    ]);
    expect([first.totalCount, first.complete]).toEqual([4, true]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await ask({ first: 3, after: first.pageInfo.endCursor });
    expect(second.nodes.map(({ kind, valueUsd }) => [kind, valueUsd])).toEqual([['DEPOSIT', '1000']]);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const back = await ask({ last: 2, before: second.pageInfo.startCursor });
    expect(back.nodes.map(({ kind }) => kind)).toEqual(['REPAY', 'BORROW']);
    const node = await world.query<{ node: { kind: string } }>(
      'query ($id: ID!) { node(id: $id) { ... on LendingTransaction { kind } } }',
      { id: second.nodes[0]?.id },
    );
    expect(node.data.node).toEqual({ kind: 'DEPOSIT' });
  });

  it('report when they are incomplete, and reject cursors of another list', async () => {
    await aLife();
    await world.read([GONE], false);
    const { data } = await world.query<Page>(PAGE, { wallet: SOMEONE });
    expect(data.wallet.lendingTransactions.complete).toBe(false);
    const after = data.wallet.lendingTransactions.pageInfo.endCursor;
    const { errors } = await world.query(PAGE, { wallet: named('another'), after });
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['CURSOR_INVALID']);
  });
});
