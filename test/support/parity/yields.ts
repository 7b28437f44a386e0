import type { ParityRow } from './parity-row.ts';

interface Epoch {
  readonly epoch: string;
  readonly firstSlot: string;
  readonly lastSlot: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

interface YieldPoint {
  readonly timestamp: string;
  readonly apr: string | null;
  readonly apy: string | null;
}

interface ReservePoint {
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

const known = (points: readonly YieldPoint[] | undefined) =>
  (points ?? [])
    .filter(({ apy }) => apy !== null)
    .map(({ timestamp, apr, apy }) => ({ createdOn: timestamp, apr, apy }));

export const YIELD_PARITY: readonly ParityRow[] = [
  {
    path: '/slots/duration',
    cases: () => [{ url: '/slots/duration', variables: {} }],
    async twin(graph) {
      const { chain } = await graph<{ chain: { slotDurationMs: string } }>('{ chain { slotDurationMs } }');
      return { recentSlotDurationInMs: Number(chain.slotDurationMs) };
    },
  },
  {
    path: '/epochs',
    cases: () => [{ url: '/epochs', variables: {} }],
    async twin(graph) {
      const { chain } = await graph<{ chain: { epochs: readonly Epoch[] } }>(
        '{ chain { epochs { epoch firstSlot lastSlot startedAt endedAt } } }',
      );
      return chain.epochs.map(({ epoch, firstSlot, lastSlot, startedAt, endedAt }) => ({
        epoch: Number(epoch),
        firstSlot: Number(firstSlot),
        lastSlot: Number(lastSlot),
        startBlockTime: startedAt,
        endBlockTime: endedAt,
      }));
    },
  },
  ...Object.entries(LISTS).map(([end, field]): ParityRow => {
    const path = `/v2/staking-yields${end}`;
    return {
      path,
      cases: () => [{ url: path, variables: {} }],
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
  }),
  {
    path: '/yields/{source}/history',
    cases: ({ mints, addresses }) => [
      ...mints.map((mint) => ({ url: `/yields/${mint}/history`, variables: { mint } })),
      {
        url: `/yields/${addresses.stakedMint}/history${RANGE.query}`,
        variables: { mint: addresses.stakedMint, range: RANGE.range },
      },
    ],
    async twin(graph, variables) {
      const { token } = await graph<{ token: { yieldHistory: { points: readonly YieldPoint[] } } }>(
        `query ($mint: Address!, $range: TimeRange) {
          token(mint: $mint) { yieldHistory(range: $range, maxPoints: 1000) ${POINTS} }
        }`,
        variables,
      );
      return known(token.yieldHistory.points);
    },
  },
  ...Object.entries(HISTORIES).map(([end, field]): ParityRow => {
    const path = `/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/${end}`;
    const urlOf = (market: string, reserve: string) =>
      path.replace('{marketPubkey}', market).replace('{reservePubkey}', reserve);
    return {
      path,
      cases: ({ reserves, addresses }) => [
        ...reserves.slice(0, 8).map(({ address, market }) => ({
          url: urlOf(market, address),
          variables: { address },
        })),
        {
          url: `${urlOf(addresses.market, addresses.stakedReserve)}${RANGE.query}`,
          variables: { address: addresses.stakedReserve, range: RANGE.range },
        },
      ],
      async twin(graph, variables) {
        const { reserve } = await graph<{ reserve: { metricsHistory: { points: readonly ReservePoint[] } } }>(
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
  }),
];
