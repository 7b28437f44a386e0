import type { Shape } from '../contract/field-shapes.ts';
import { pascal, type Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { Graph, OperationRequest, OperationRow, Refusal, Variables } from './operation-row.ts';
import { badRequest, notThere, wrong, wrongEnv } from './refusals.ts';

/** Fields of one transaction. */
export const LENDING_TRANSACTION: Readonly<Record<string, Shape>> = {
  createdOn: 'date',
  timestamp: 'epochMs',
  transactionSignature: 'label',
  transactionName: {
    oneOf: [
      'depositReserveLiquidityAndObligationCollateral',
      'borrowObligationLiquidity',
      'repayObligationLiquidity',
      'withdrawObligationCollateralAndRedeemReserveCollateral',
      'depositObligationCollateral',
      'withdrawObligationCollateral',
      'liquidateObligationAndRedeemReserveCollateral',
    ]
      .flatMap((name) => [name, `${name}V2`])
      .concat('repayAndWithdrawAndRedeem', 'depositAndWithdraw'),
  },
  transactionDisplayName: { oneOf: ['Deposit', 'Withdraw', 'Borrow', 'Repay', 'Liquidation'] },
  liquidityToken: 'label',
  liquidityTokenMint: 'address',
  liquidityTokenAmount: 'decimal',
  'liquidityTokenPrice?': 'decimal',
  'solPrice?': 'decimal',
  'liquidityUsdValue?': 'decimal',
  isLiquidationWithdrawal: 'boolean',
  obligationType: {
    oneOf: ['Lending', 'Multiply', 'Leverage']
      .flatMap((tag) => [tag, `${tag}FixedRate`])
      .concat('Vanilla', 'Unknown'),
  },
  'isSecondPartOfCompositeIx?': 'boolean',
};

export const BY_OBLIGATION: Shape = { map: { list: { fields: LENDING_TRANSACTION } } };

export interface GraphTransaction {
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
  readonly nodes: readonly GraphTransaction[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
}

const PAGE = `{ pageInfo { hasNextPage endCursor } nodes { createdAt signature instruction kind side secondPart
  marketAddress obligationAddress obligationTag reserve { token { mint symbol } } liquidity { amount }
  tokenPriceUsd solPriceUsd valueUsd } }`;

export const OF_WALLET = `query ($address: Address!, $market: Address, $after: String) { wallet(address: $address) {
  transactions: lendingTransactions(market: $market, first: 20, after: $after) ${PAGE} } }`;

const OF_OBLIGATION = `query ($address: Address!, $after: String) { wallet: obligation(address: $address) {
  transactions(first: 20, after: $after) ${PAGE} } }`;

/** All pages, in the order that the case asks for. */
export async function transactionsOf(
  graph: Graph,
  document: string,
  { sort, ...variables }: Variables,
): Promise<GraphTransaction[]> {
  const list: GraphTransaction[] = [];
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

const known = (name: string, value: Text) => (value === null ? {} : { [name]: value });

export const restRow = (each: GraphTransaction, rule: NullRule) => ({
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
  obligationType: pascal(each.obligationTag ?? 'UNKNOWN'),
  ...(each.secondPart ? { isSecondPartOfCompositeIx: true } : {}),
});

export function byObligation(transactions: readonly GraphTransaction[], rule: NullRule) {
  const groups: Record<string, ReturnType<typeof restRow>[]> = {};
  for (const each of transactions) {
    groups[each.obligationAddress] ??= [];
    groups[each.obligationAddress]?.push(restRow(each, rule));
  }
  return groups;
}

const ofUser = (user: string) => `/v2/svc-market/users/${user}/transactions`;
const inMarket = (market: string, user: string) => `/v2/svc-market/${market}/users/${user}/transactions`;
const ofObligation = (market: string, obligation: string) =>
  `/v2/svc-market/${market}/obligations/${obligation}/transactions`;

const inBothOrders = (url: string, variables: Variables): OperationRequest[] => [
  { url, variables },
  { url: `${url}?sort=asc`, variables: { ...variables, sort: 'asc' } },
  { url: `${url}?sort=desc&env=localnet`, variables },
];

export const wrongInput = (url: string): Refusal[] => [
  badRequest('no order', `${url}?sort=newest`, 'sort'),
  badRequest('sort twice', `${url}?sort=asc&sort=asc`, 'sort'),
  ...wrongEnv(url),
];

export const LENDING_TRANSACTION_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: ofUser('{userPubkey}'),
    answer: { list: { fields: { market: 'address', obligations: BY_OBLIGATION } } },
    requests: ({ wallets }) => wallets.flatMap((address) => inBothOrders(ofUser(address), { address })),
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', ofUser('nonsense'), 'userPubkey'),
      ...wrongInput(ofUser(wallet)),
    ],
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
    method: 'get',
    path: inMarket('{marketPubkey}', '{userPubkey}'),
    answer: BY_OBLIGATION,
    requests: ({ obligations, addresses: { market, wallet, emptyWallet } }) =>
      [...obligations.slice(0, 6), { market, owner: wallet }, { market, owner: emptyWallet }].flatMap(
        (each) =>
          inBothOrders(inMarket(each.market, each.owner), { address: each.owner, market: each.market }),
      ),
    refusals: ({ addresses: { market, wallet, emptyWallet } }) => [
      badRequest('no market', inMarket('nonsense', wallet), 'marketPubkey'),
      badRequest('no address', inMarket(market, 'nonsense'), 'userPubkey'),
      {
        name: 'a market that is none',
        ask: { url: inMarket(emptyWallet, wallet) },
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      ...wrongInput(inMarket(market, wallet)),
    ],
    twin: async (graph, variables, rule) =>
      byObligation(await transactionsOf(graph, OF_WALLET, variables), rule),
  },
  {
    method: 'get',
    path: ofObligation('{marketPubkey}', '{obligationPubkey}'),
    answer: {
      fields: { transactions: { list: { fields: { ...LENDING_TRANSACTION, obligation: 'address' } } } },
    },
    requests: ({ obligations }) =>
      obligations.flatMap(({ address, market }) => [
        ...inBothOrders(ofObligation(market, address), { address }),
        { url: `${ofObligation(market, address)}?useLogPrices=true`, variables: { address } },
      ]),
    refusals: (subjects) => {
      const { market, obligation } = subjects.addresses;
      return [
        badRequest('no market', ofObligation('nonsense', obligation), 'marketPubkey'),
        badRequest('no obligation', ofObligation(market, 'nonsense'), 'obligationPubkey'),
        ...notThere(subjects, ofObligation, wrong),
        badRequest('no switch', `${ofObligation(market, obligation)}?useLogPrices=maybe`, 'useLogPrices'),
        ...wrongInput(ofObligation(market, obligation)),
      ];
    },
    async twin(graph, variables, rule) {
      const list = await transactionsOf(graph, OF_OBLIGATION, variables);
      return {
        transactions: list.map((each) => ({ ...restRow(each, rule), obligation: each.obligationAddress })),
      };
    },
  },
];
