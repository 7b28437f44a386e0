import type { Shape } from '../contract/field-shapes.ts';
import { ALL_TIME, comparedRanges, inRanges, wrongRange } from './date-ranges.ts';
import type { Text } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';
import { decimals } from './shapes.ts';

const MARKET_POINT: Shape = {
  fields: {
    market: 'address',
    timestamp: 'date',
    metrics: { fields: { borrowTVL: 'decimal', depositTVL: 'decimal', obligations: 'integer' } },
  },
};

const LEVERAGE: Shape = {
  fields: {
    ...decimals('avgLeverage', 'totalBorrowed', 'totalDeposited', 'totalBorrowedUsd', 'totalDepositedUsd'),
    totalObligations: 'integerString',
    tvl: 'decimal',
    updatedOn: 'date',
    depositReserve: 'address',
    borrowReserve: 'address',
    tag: { oneOf: ['Multiply', 'Leverage'] },
  },
};

interface GraphPoint {
  readonly timestamp: string;
  readonly suppliedUsd: Text;
  readonly borrowedUsd: Text;
  readonly obligations: number | null;
}

interface GraphLeverage {
  readonly tag: string;
  readonly averageLeverage: string;
  readonly deposited: { readonly amount: string; readonly usd: Text };
  readonly borrowed: { readonly amount: string; readonly usd: Text };
  readonly tvlUsd: Text;
  readonly obligations: number;
  readonly updatedAt: string;
  readonly depositReserve: { readonly address: string };
  readonly borrowReserve: { readonly address: string };
}

const history = (market: string) => `/svc-market/${market}/metrics/history`;
const leverage = (market: string) => `/svc-market/${market}/leverage/metrics`;

export const MARKET_HISTORY_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: history('{pubkey}'),
    answer: { list: MARKET_POINT },
    requests: ({ markets, addresses: { market } }) => [
      ...inRanges(history(market), { address: market }),
      { url: `${history(market)}${ALL_TIME}` },
      ...markets.flatMap((address) => [
        ...comparedRanges(history(address), { address }),
        { url: `${history(address)}?env=localnet`, variables: { address } },
      ]),
    ],
    refusals: ({ addresses }) => [
      badRequest('no address', history('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: history(addresses.emptyWallet) }, status: 400 },
      ...wrongRange(history(addresses.market)),
      ...wrongEnv(history(addresses.market)),
    ],
    async twin(graph, variables, rule) {
      const { market } = await graph<{
        market: { metricsHistory: { points: readonly GraphPoint[] } };
      }>(
        `query ($address: Address!, $range: TimeRange) { market(address: $address) {
          metricsHistory(range: $range, maxPoints: 5000) { points { timestamp suppliedUsd borrowedUsd obligations } }
        } }`,
        variables,
      );
      const points = rule.priced(market.metricsHistory.points, ({ suppliedUsd, borrowedUsd }) => [
        suppliedUsd,
        borrowedUsd,
      ]);
      return points.map(({ timestamp, suppliedUsd, borrowedUsd, obligations }) => ({
        market: variables.address,
        timestamp,
        metrics: {
          borrowTVL: borrowedUsd,
          depositTVL: suppliedUsd,
          obligations: rule.count(obligations),
        },
      }));
    },
  },
  {
    method: 'get',
    path: leverage('{pubkey}'),
    answer: { list: LEVERAGE },
    requests: ({ markets }) => markets.map((address) => ({ url: leverage(address), variables: { address } })),
    refusals: ({ addresses }) => [
      badRequest('no address', leverage('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: leverage(addresses.emptyWallet) }, status: 400 },
      ...wrongEnv(leverage(addresses.market)),
    ],
    async twin(graph, variables, rule) {
      const { market } = await graph<{ market: { leverage: readonly GraphLeverage[] } }>(
        `query ($address: Address!) { market(address: $address) { leverage {
          tag averageLeverage deposited { amount usd } borrowed { amount usd } tvlUsd obligations updatedAt
          depositReserve { address } borrowReserve { address }
        } } }`,
        variables,
      );
      return market.leverage.map((pair) => ({
        avgLeverage: pair.averageLeverage,
        totalBorrowed: pair.borrowed.amount,
        totalDeposited: pair.deposited.amount,
        totalBorrowedUsd: rule.decimal(pair.borrowed.usd),
        totalDepositedUsd: rule.decimal(pair.deposited.usd),
        totalObligations: String(pair.obligations),
        tvl: rule.decimal(pair.tvlUsd),
        updatedOn: pair.updatedAt,
        depositReserve: pair.depositReserve.address,
        borrowReserve: pair.borrowReserve.address,
        tag: { MULTIPLY: 'Multiply', LEVERAGE: 'Leverage' }[pair.tag],
      }));
    },
  },
];
