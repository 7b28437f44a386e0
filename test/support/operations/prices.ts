import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

const PRICE: Shape = { fields: { usdPrice: 'decimal', token: 'label', mint: 'address' } };

interface GraphToken {
  readonly mint: string;
  readonly symbol: string;
  readonly price: { readonly usd: string } | null;
}

interface GraphPoint {
  readonly sampledAt: string;
  readonly priceUsd: string | null;
}

const PATH = '/prices';
const HISTORY = '/prices/history';

/** A range in REST, with both ends, and the buckets in which its prices can have been recorded. */
const RANGES = [
  {
    query: '&start=2026-05-29T12:00Z&end=2026-05-31T12:00Z&frequency=hour',
    interval: 'HOUR',
    buckets: { start: '2026-05-29T12:00Z', end: '2026-05-31T12:00:00.001Z' },
    from: '2026-05-29T12:00:00.000Z',
    until: '2026-05-31T12:00:00.000Z',
  },
  {
    query: '&start=2026-05-20&end=2026-05-28&frequency=day',
    interval: 'DAY',
    buckets: { start: '2026-05-20', end: '2026-05-28T00:00:00.001Z' },
    from: '2026-05-20T00:00:00.000Z',
    until: '2026-05-28T00:00:00.000Z',
  },
] as const;

export const PRICE_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: PATH,
    answer: { list: PRICE },
    requests: ({ mints: [mint = ''] }) => [
      { url: PATH, variables: {} },
      { url: `${PATH}?env=localnet&source=scope`, variables: {} },
      { url: `${PATH}?token=usdc`, variables: { filter: { symbol: 'USDC' } } },
      { url: `${PATH}?token=nothing-has-this`, variables: { filter: { symbol: 'nothing-has-this' } } },
      { url: `${PATH}?source=scope&token=${mint}`, variables: { filter: { mints: [mint] } } },
    ],
    refusals: () => [
      badRequest('another source', `${PATH}?source=birdeye`, 'source'),
      badRequest('two tokens', `${PATH}?token=SOL&token=USDC`, 'token'),
      ...wrongEnv(PATH),
    ],
    async twin(graph, variables) {
      const { tokens } = await graph<{ tokens: { nodes: readonly GraphToken[] } }>(
        'query ($filter: TokenFilter) { tokens(filter: $filter, first: 100) { nodes { mint symbol price { usd } } } }',
        variables,
      );
      return tokens.nodes.flatMap(({ mint, symbol, price }) =>
        price === null ? [] : [{ usdPrice: price.usd, token: symbol, mint }],
      );
    },
  },
  {
    method: 'get',
    path: HISTORY,
    answer: { list: { list: 'anything', length: 2 } },
    requests: ({ mints: [mint = ''], addresses: { emptyWallet } }) => [
      { url: `${HISTORY}?token=${mint}` },
      { url: `${HISTORY}?token=usdc&frequency=hour&type=spot&env=localnet` },
      { url: `${HISTORY}?token=${emptyWallet}&frequency=day&start=0` },
      ...RANGES.map(({ query, interval, buckets, from, until }) => ({
        url: `${HISTORY}?token=${mint}${query}`,
        variables: { mint, interval, range: buckets, from, until },
      })),
    ],
    refusals: ({ mints: [mint = ''] }) => [
      badRequest('no token', HISTORY, 'token'),
      badRequest('an empty token', `${HISTORY}?token=`, 'token'),
      badRequest('an unknown ticker', `${HISTORY}?token=nothing-has-this`, 'token'),
      badRequest('averages', `${HISTORY}?token=${mint}&type=TWAP`, 'type'),
      badRequest('a week', `${HISTORY}?token=${mint}&frequency=week`, 'frequency'),
      badRequest('reversed', `${HISTORY}?token=${mint}&start=2026-02-01&end=2026-01-01`, 'start'),
      badRequest('no date', `${HISTORY}?token=${mint}&end=tomorrow`, 'end'),
      {
        name: 'another cluster',
        ask: { url: `${HISTORY}?token=${mint}&env=mainnet-beta` },
        status: 400,
        code: 'CLUSTER_NOT_SERVED',
      },
    ],
    async twin(graph, { from, until, ...variables }) {
      const { token } = await graph<{ token: { priceHistory: { points: readonly GraphPoint[] } } }>(
        `query ($mint: Address!, $range: TimeRange, $interval: Interval) { token(mint: $mint) {
          priceHistory(range: $range, interval: $interval, maxPoints: 1000) { points { sampledAt priceUsd } } } }`,
        variables,
      );
      return token.priceHistory.points
        .filter(({ sampledAt }) => sampledAt >= String(from) && sampledAt <= String(until))
        .flatMap(({ sampledAt, priceUsd }) =>
          priceUsd === null ? [] : [[priceUsd, Math.floor(Date.parse(sampledAt) / 1_000)]],
        );
    },
  },
];
