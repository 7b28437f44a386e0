import { seasons } from './earn.ts';
import { type Amount, NO_ADDRESS, type ParityRow } from './parity-row.ts';

interface GraphMarket {
  readonly address: string;
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  readonly lookupTable: { readonly address: string } | null;
}

const MARKET = 'address name description isPrimary isCurated lookupTable { address }';

const restMarket = ({ address, lookupTable, ...facts }: GraphMarket) => ({
  lendingMarket: address,
  ...facts,
  lookupTable: lookupTable?.address ?? NO_ADDRESS,
});

interface GraphReserve {
  readonly address: string;
  readonly accountData: string;
  readonly token: { readonly symbol: string; readonly mint: string };
  readonly risk: { readonly maxLtv: string };
  readonly borrowApy: { readonly base: string };
  readonly supplyApy: { readonly base: string };
  readonly supplied: Amount;
  readonly borrowed: Amount;
}

const METRICS = `query ($market: Address!) { market(address: $market) { reserves {
  address token { symbol mint } risk { maxLtv } borrowApy { base } supplyApy { base }
  supplied { amount usd } borrowed { amount usd }
} } }`;

interface GraphReward {
  readonly depositReserve: { readonly address: string } | null;
  readonly borrowReserve: { readonly address: string } | null;
  readonly market: { readonly address: string };
  readonly token: { readonly mint: string };
  readonly calculatedAt: string;
  readonly apy: string | null;
  readonly tokensPerSecond: string;
  readonly activePositionsUsd: string | null;
}

const REWARDS = `query ($source: String) { lendingRewards(source: $source) {
  depositReserve { address } borrowReserve { address } market { address } token { mint }
  calculatedAt apy tokensPerSecond activePositionsUsd
} }`;

type MarketsAnswer = { readonly market: { readonly reserves: readonly GraphReserve[] } };

export const MARKET_PARITY: readonly ParityRow[] = [
  {
    path: '/v2/svc-market',
    sortBy: 'lendingMarket',
    cases: () => [{ url: '/v2/svc-market', variables: {} }],
    async twin(graph) {
      const { markets } = await graph<{ markets: { nodes: GraphMarket[] } }>(
        `{ markets(first: 100) { nodes { ${MARKET} } } }`,
      );
      return markets.nodes.map(restMarket);
    },
  },
  {
    path: '/v2/svc-market/{pubkey}',
    cases: ({ markets }) =>
      markets.map((market) => ({ url: `/v2/svc-market/${market}`, variables: { market } })),
    async twin(graph, variables) {
      const document = `query ($market: Address!) { market(address: $market) { ${MARKET} } }`;
      return restMarket((await graph<{ market: GraphMarket }>(document, variables)).market);
    },
  },
  {
    path: '/svc-market/{pubkey}/reserves/metrics',
    sortBy: 'reserve',
    cases: ({ markets }) =>
      markets.map((market) => ({ url: `/svc-market/${market}/reserves/metrics`, variables: { market } })),
    async twin(graph, variables, rule) {
      const { market } = await graph<MarketsAnswer>(METRICS, variables);
      return market.reserves.map(({ address, token, risk, borrowApy, supplyApy, supplied, borrowed }) => ({
        reserve: address,
        liquidityToken: token.symbol,
        liquidityTokenMint: token.mint,
        maxLtv: risk.maxLtv,
        borrowApy: borrowApy.base,
        supplyApy: supplyApy.base,
        totalSupply: supplied.amount,
        totalBorrow: borrowed.amount,
        totalSupplyUsd: rule.decimal(supplied.usd),
        totalBorrowUsd: rule.decimal(borrowed.usd),
      }));
    },
  },
  {
    path: '/svc-market/reserves/account-data',
    cases: ({ markets }) =>
      markets.map((market) => ({
        url: `/svc-market/reserves/account-data?markets=${market}`,
        variables: { market },
      })),
    async twin(graph, variables) {
      const { market } = await graph<MarketsAnswer>(
        'query ($market: Address!) { market(address: $market) { reserves { address accountData } } }',
        variables,
      );
      const reserves = market.reserves.map(({ address, accountData }) => ({
        pubkey: address,
        data: accountData,
      }));
      return [{ market: variables.market, reserves }];
    },
  },
  {
    path: '/klend/rewards',
    cases: () => seasons('/klend/rewards'),
    async twin(graph, variables, rule) {
      const { lendingRewards } = await graph<{ lendingRewards: GraphReward[] }>(REWARDS, variables);
      return lendingRewards.map((reward) => ({
        depositReserve: reward.depositReserve?.address ?? null,
        borrowReserve: reward.borrowReserve?.address ?? null,
        market: reward.market.address,
        rewardToken: reward.token.mint,
        lastCalculated: reward.calculatedAt,
        apy: rule.decimal(reward.apy),
        tokensPerSecond: reward.tokensPerSecond,
        activePositionsUsd: rule.decimal(reward.activePositionsUsd),
      }));
    },
  },
];
