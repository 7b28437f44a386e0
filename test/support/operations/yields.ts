import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow, Refusal } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

const STAKING_YIELD: Shape = { fields: { apy: 'decimal', tokenMint: 'address' } };

const YIELD_POINT: Shape = { fields: { createdOn: 'date', apr: 'decimal', apy: 'decimal' } };

const BORROW_AND_STAKING: Shape = {
  fields: { createdOn: 'date', borrowInterestApy: 'decimal', stakingApy: 'decimal' },
};

interface GraphPoint {
  readonly timestamp: string;
  readonly apr: string | null;
  readonly apy: string | null;
}

interface GraphReservePoint {
  readonly timestamp: string;
  readonly borrowInterestApy: string;
  readonly staking: string | null;
}

const LISTS = { '': 'latest { apy }', '/median': 'apy: medianApy', '/mean': 'apy: meanApy' };

const POINTS = '{ points { timestamp apr apy } }';

const RANGE = {
  query: '?start=2026-05-30&end=2026-05-31',
  range: { start: '2026-05-30', end: '2026-05-31' },
};

const HISTORIES = { history: 'stakingApy', 'history/median': 'medianStakingApy' };

const known = (points: readonly GraphPoint[] | undefined) =>
  (points ?? [])
    .filter(({ apy }) => apy !== null)
    .map(({ timestamp, apr, apy }) => ({ createdOn: timestamp, apr, apy }));

const badRanges = (url: string): Refusal[] =>
  [
    ['start=yesterday', 'start'],
    ['end=never', 'end'],
    ['start=2026-05-02&end=2026-05-01', 'start'],
  ].map(([query = '', at = '']) => badRequest(query, `${url}?${query}`, at));

const lists = Object.entries(LISTS).map(([end, field]): OperationRow => {
  const path = `/v2/staking-yields${end}`;
  return {
    method: 'get',
    path,
    answer: { list: STAKING_YIELD },
    requests: () => [{ url: path, variables: {} }],
    refusals: () => [],
    async twin(graph) {
      const { tokens } = await graph<{
        tokens: {
          nodes: readonly {
            mint: string;
            stakingYield: { apy?: string; latest?: { apy: string } } | null;
          }[];
        };
      }>(`{ tokens(first: 100) { nodes { mint stakingYield { ${field} } } } }`);
      return tokens.nodes
        .flatMap(({ mint, stakingYield: found }) =>
          found === null ? [] : [{ apy: found.apy ?? found.latest?.apy, tokenMint: mint }],
        )
        .sort((a, b) => (a.tokenMint < b.tokenMint ? -1 : 1));
    },
  };
});

const histories = Object.entries(HISTORIES).map(([end, field]): OperationRow => {
  const path = `/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/${end}`;
  const of = (market: string, reserve: string) =>
    path.replace('{marketPubkey}', market).replace('{reservePubkey}', reserve);
  return {
    method: 'get',
    path,
    answer: { list: BORROW_AND_STAKING },
    requests: ({ reserves, addresses: { market, stakedReserve, wallet } }) => [
      ...reserves.slice(0, 8).map((each) => ({
        url: of(each.market, each.address),
        variables: { address: each.address },
      })),
      {
        url: `${of(market, stakedReserve)}${RANGE.query}`,
        variables: { address: stakedReserve, range: RANGE.range },
      },
      // A wallet is not a reserve.
      { url: of(market, wallet) },
    ],
    refusals: ({ addresses: { market, stakedReserve } }) => [
      ...badRanges(of(market, stakedReserve)),
      ...wrongEnv(of(market, stakedReserve)),
    ],
    async twin(graph, variables) {
      const { reserve } = await graph<{
        reserve: { metricsHistory: { points: readonly GraphReservePoint[] } };
      }>(
        `query ($address: Address!, $range: TimeRange) {
            reserve(address: $address) { metricsHistory(range: $range, maxPoints: 1000) {
              points { timestamp borrowInterestApy staking: ${field} }
            } }
          }`,
        variables,
      );
      return reserve.metricsHistory.points
        .filter(({ staking }) => staking !== null)
        .map(({ timestamp, borrowInterestApy, staking }) => ({
          createdOn: timestamp,
          borrowInterestApy,
          stakingApy: staking,
        }));
    },
  };
});

const of = (source: string) => `/yields/${source}/history`;

export const YIELD_ROWS: readonly OperationRow[] = [
  ...lists,
  {
    method: 'get',
    path: '/yields/principal-tokens',
    answer: { list: STAKING_YIELD },
    requests: () => [{ url: '/yields/principal-tokens', variables: {} }],
    refusals: () => [],
    async twin(graph) {
      const { principalTokens } = await graph<{
        principalTokens: readonly { tokenMint: string; apy: string | null }[];
      }>('{ principalTokens { tokenMint apy } }');
      return principalTokens
        .filter(({ apy }) => apy !== null)
        .map(({ apy, tokenMint }) => ({ apy, tokenMint }));
    },
  },
  {
    method: 'get',
    path: of('{source}'),
    answer: { list: YIELD_POINT },
    requests: ({ mints, addresses: { stakedMint, wallet }, vaults }) => [
      ...mints.map((mint) => ({ url: of(mint), variables: { mint } })),
      { url: `${of(stakedMint)}${RANGE.query}`, variables: { mint: stakedMint, range: RANGE.range } },
      ...[`${wallet}-${stakedMint}`, ...vaults.slice(0, 2).map(({ address }) => address), 'nothing'].map(
        (source) => ({ url: of(source) }),
      ),
    ],
    refusals: ({ addresses: { stakedMint } }) => [
      ...badRanges(of(stakedMint)),
      badRequest('more than 366 days', `${of(stakedMint)}?start=2025-01-01&end=2026-01-03`, 'start'),
    ],
    async twin(graph, variables) {
      const { token } = await graph<{ token: { yieldHistory: { points: readonly GraphPoint[] } } }>(
        `query ($mint: Address!, $range: TimeRange) {
          token(mint: $mint) { yieldHistory(range: $range, maxPoints: 1000) ${POINTS} }
        }`,
        variables,
      );
      return known(token.yieldHistory.points);
    },
  },
  ...histories,
];
