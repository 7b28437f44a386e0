import type { Graph, NullRule, ParityCase, ParityRow } from './parity-row.ts';

type Text = string | null;

interface Transaction {
  readonly createdAt: string;
  readonly signature: string;
  readonly instruction: string;
  readonly kind: string;
  readonly side: string;
  readonly secondPart: boolean;
  readonly marketAddress: string;
  readonly obligationAddress: string;
  readonly obligationTag: Text;
  readonly reserve: { readonly token: { readonly mint: string; readonly symbol: string } };
  readonly liquidity: { readonly amount: string } | null;
  readonly tokenPriceUsd: Text;
  readonly solPriceUsd: Text;
  readonly valueUsd: Text;
}

interface Connection {
  readonly nodes: readonly Transaction[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
}

const PAGE = `{ pageInfo { hasNextPage endCursor } nodes { createdAt signature instruction kind side secondPart
  marketAddress obligationAddress obligationTag reserve { token { mint symbol } } liquidity { amount }
  tokenPriceUsd solPriceUsd valueUsd } }`;

const OF_WALLET = `query ($address: Address!, $market: Address, $after: String) { wallet(address: $address) {
  transactions: lendingTransactions(market: $market, first: 20, after: $after) ${PAGE} } }`;
const OF_OBLIGATION = `query ($address: Address!, $after: String) { wallet: obligation(address: $address) {
  transactions(first: 20, after: $after) ${PAGE} } }`;

type Variables = Readonly<Record<string, unknown>>;

/** All pages, in the order that the case asks for. */
async function transactionsOf(
  graph: Graph,
  document: string,
  { sort, ...variables }: Variables,
): Promise<Transaction[]> {
  const list: Transaction[] = [];
  for (let after: Text = null, more = true; more; ) {
    const { wallet }: { wallet: { transactions: Connection } } = await graph(document, {
      ...variables,
      after,
    });
    list.push(...wallet.transactions.nodes);
    ({ hasNextPage: more, endCursor: after } = wallet.transactions.pageInfo);
  }
  return sort === 'asc' ? list.reverse() : list;
}

/** `LENDING_FIXED_RATE` is `LendingFixedRate` in REST. */
const restTag = (tag: Text) =>
  (tag ?? 'UNKNOWN')
    .split('_')
    .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
    .join('');

const known = (name: string, value: Text) => (value === null ? {} : { [name]: value });

const restRow = (each: Transaction, rule: NullRule) => ({
  createdOn: each.createdAt,
  timestamp: Date.parse(each.createdAt),
  transactionSignature: each.signature,
  transactionName: each.instruction,
  transactionDisplayName: `${each.kind.slice(0, 1)}${each.kind.slice(1).toLowerCase()}`,
  liquidityToken: each.reserve.token.symbol,
  liquidityTokenMint: each.reserve.token.mint,
  liquidityTokenAmount: rule.decimal(each.liquidity?.amount),
  ...known('liquidityTokenPrice', each.tokenPriceUsd),
  ...known('solPrice', each.solPriceUsd),
  ...known('liquidityUsdValue', each.valueUsd),
  isLiquidationWithdrawal: each.kind === 'LIQUIDATION' && each.side === 'COLLATERAL',
  obligationType: restTag(each.obligationTag),
  ...(each.secondPart ? { isSecondPartOfCompositeIx: true } : {}),
});

function byObligation(transactions: readonly Transaction[], rule: NullRule) {
  const groups: Record<string, ReturnType<typeof restRow>[]> = {};
  for (const each of transactions) {
    groups[each.obligationAddress] ??= [];
    groups[each.obligationAddress]?.push(restRow(each, rule));
  }
  return groups;
}

const bothOrders = ({ url, variables }: ParityCase): ParityCase[] => [
  { url, variables },
  { url: `${url}?sort=asc`, variables: { ...variables, sort: 'asc' } },
];

export const LENDING_TRANSACTION_PARITY: readonly ParityRow[] = [
  {
    path: '/v2/svc-market/users/{userPubkey}/transactions',
    cases: ({ wallets }) =>
      wallets
        .slice(0, 12)
        .map((address) => ({ url: `/v2/svc-market/users/${address}/transactions`, variables: { address } }))
        .flatMap(bothOrders),
    async twin(graph, variables, rule) {
      const list = await transactionsOf(graph, OF_WALLET, variables);
      const markets = [...new Set(list.map(({ marketAddress }) => marketAddress))].sort();
      return markets.map((market) => ({
        market,
        obligations: byObligation(
          list.filter(({ marketAddress }) => marketAddress === market),
          rule,
        ),
      }));
    },
  },
  {
    path: '/v2/svc-market/{marketPubkey}/users/{userPubkey}/transactions',
    cases: ({ obligations, addresses: { market, emptyWallet } }) =>
      [...obligations.slice(0, 6), { owner: emptyWallet, market }]
        .map((each) => ({
          url: `/v2/svc-market/${each.market}/users/${each.owner}/transactions`,
          variables: { address: each.owner, market: each.market },
        }))
        .flatMap(bothOrders),
    twin: async (graph, variables, rule) =>
      byObligation(await transactionsOf(graph, OF_WALLET, variables), rule),
  },
  {
    path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/transactions',
    cases: ({ obligations }) =>
      obligations
        .slice(0, 12)
        .map(({ address, market }) => ({
          url: `/v2/svc-market/${market}/obligations/${address}/transactions`,
          variables: { address },
        }))
        .flatMap(bothOrders),
    async twin(graph, variables, rule) {
      const list = await transactionsOf(graph, OF_OBLIGATION, variables);
      return {
        transactions: list.map((each) => ({ ...restRow(each, rule), obligation: each.obligationAddress })),
      };
    },
  },
];
