import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import type { Amount } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

const OTHER_PROGRAM = 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd';

export const MARKET_CONFIG = {
  fields: {
    name: 'string',
    isPrimary: 'boolean',
    description: 'string',
    lendingMarket: 'address',
    lookupTable: 'address',
    isCurated: 'boolean',
  },
} as const satisfies Shape;

const RESERVE_METRICS: Shape = {
  fields: {
    reserve: 'address',
    liquidityToken: 'label',
    liquidityTokenMint: 'address',
    maxLtv: 'decimal',
    borrowApy: 'decimal',
    supplyApy: 'decimal',
    totalSupply: 'decimal',
    totalBorrow: 'decimal',
    totalBorrowUsd: 'decimal',
    totalSupplyUsd: 'decimal',
  },
};

const ACCOUNT_DATA: Shape = {
  fields: {
    market: 'address',
    reserves: { list: { fields: { pubkey: 'address', data: 'base64' } } },
  },
};

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

const METRICS_QUERY = `query ($market: Address!) { market(address: $market) { reserves {
  address token { symbol mint } risk { maxLtv } borrowApy { base } supplyApy { base }
  supplied { amount usd } borrowed { amount usd }
} } }`;

type MarketsAnswer = { readonly market: { readonly reserves: readonly GraphReserve[] } };

const LIST = '/v2/svc-market';
const ACCOUNTS = '/svc-market/reserves/account-data';
const metrics = (market: string) => `/svc-market/${market}/reserves/metrics`;

/** These operations document only 500. */
const missing = { status: 500 };
const failed = { status: 500, code: 'BAD_REQUEST' };

export const MARKET_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: LIST,
    answer: { list: MARKET_CONFIG },
    requests: () => [
      { url: LIST, variables: {} },
      { url: `${LIST}?programId=${KLEND}`, variables: {} },
      { url: `${LIST}?programId=${OTHER_PROGRAM}` },
    ],
    refusals: () => [badRequest('no program', `${LIST}?programId=nonsense`, 'programId')],
    sortBy: 'lendingMarket',
    async twin(graph) {
      const { markets } = await graph<{ markets: { nodes: GraphMarket[] } }>(
        `{ markets(first: 100) { nodes { ${MARKET} } } }`,
      );
      return markets.nodes.map(restMarket);
    },
  },
  {
    method: 'get',
    path: '/v2/svc-market/{pubkey}',
    answer: MARKET_CONFIG,
    requests: ({ markets }) =>
      markets.flatMap((market) => [
        { url: `${LIST}/${market}`, variables: { market } },
        { url: `${LIST}/${market}?programId=${KLEND}`, variables: { market } },
      ]),
    refusals: ({ addresses: { market, vault, emptyWallet } }) => [
      { name: 'no address', ask: { url: `${LIST}/nonsense` }, ...failed },
      { name: 'no program', ask: { url: `${LIST}/${market}?programId=nonsense` }, ...failed },
      { name: 'nothing there', ask: { url: `${LIST}/${emptyWallet}` }, ...missing },
      { name: 'a vault', ask: { url: `${LIST}/${vault}` }, ...missing },
      {
        name: 'a market of another program',
        ask: { url: `${LIST}/${market}?programId=${OTHER_PROGRAM}` },
        ...missing,
      },
    ],
    async twin(graph, variables) {
      const document = `query ($market: Address!) { market(address: $market) { ${MARKET} } }`;
      return restMarket((await graph<{ market: GraphMarket }>(document, variables)).market);
    },
  },
  {
    method: 'get',
    path: '/svc-market/{pubkey}/reserves/metrics',
    answer: { list: RESERVE_METRICS },
    requests: ({ markets, addresses }) => [
      ...markets.map((market) => ({ url: metrics(market), variables: { market } })),
      { url: `${metrics(addresses.market)}?env=localnet`, variables: { market: addresses.market } },
    ],
    refusals: ({ addresses: { market, vault, emptyWallet } }) => [
      { name: 'no address', ask: { url: metrics('nonsense') }, ...failed },
      { name: 'nothing there', ask: { url: metrics(emptyWallet) }, ...missing },
      { name: 'a vault', ask: { url: metrics(vault) }, ...missing },
      ...wrongEnv(metrics(market), 500),
    ],
    sortBy: 'reserve',
    async twin(graph, variables, rule) {
      const { market } = await graph<MarketsAnswer>(METRICS_QUERY, variables);
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
    method: 'get',
    path: ACCOUNTS,
    answer: { list: ACCOUNT_DATA },
    requests: ({ markets }) => [
      ...markets.map((market) => ({ url: `${ACCOUNTS}?markets=${market}`, variables: { market } })),
      { url: `${ACCOUNTS}?${markets.map((market) => `markets=${market}`).join('&')}` },
      ...markets.slice(0, 1).map((market) => ({
        url: `${ACCOUNTS}?markets=${market}&programId=${KLEND}`,
        variables: { market },
      })),
    ],
    refusals: ({ addresses: { market } }) => [
      badRequest('no market', ACCOUNTS, 'markets'),
      badRequest('an empty market', `${ACCOUNTS}?markets=`, 'markets'),
      badRequest('no address', `${ACCOUNTS}?markets=nonsense`, 'markets'),
      badRequest('one of two is no address', `${ACCOUNTS}?markets=${market}&markets=nonsense`, 'markets'),
      badRequest('no program', `${ACCOUNTS}?markets=${market}&programId=nonsense`, 'programId'),
    ],
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
];
