import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import type { Graph, OperationRow, Refusal } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const AMOUNT: Shape = {
  fields: {
    mint: 'address',
    symbol: 'label',
    amount: 'decimal',
    usd: { nullable: 'decimal' },
    sol: { nullable: 'decimal' },
  },
};
const MAYBE: Shape = { nullable: AMOUNT };
const UNITS: Shape = 'label';

const ENTRY: Shape = {
  fields: {
    kind: 'label',
    product: { nullable: 'label' },
    createdAt: { nullable: 'date' },
    signature: 'label',
    slot: 'label',
    final: 'boolean',
    sent: MAYBE,
    received: MAYBE,
    reward: MAYBE,
    fee: MAYBE,
    unknown: { list: 'label' },
    'vault?': { nullable: 'address' },
    'sharesChange?': UNITS,
    'tokens?': MAYBE,
    'counterparty?': { nullable: 'address' },
    'market?': 'address',
    'obligation?': 'address',
    'reserve?': 'address',
    'side?': { oneOf: ['COLLATERAL', 'DEBT'] },
    'amount?': MAYBE,
    'liquidity?': MAYBE,
    'collateralChange?': UNITS,
    'debtChange?': UNITS,
    'ticket?': 'address',
    'ticketChange?': UNITS,
    'signer?': 'address',
    'farm?': 'address',
    'tokenMint?': { nullable: 'address' },
    'stakeChange?': { nullable: UNITS },
    'reason?': 'label',
    cursor: 'label',
  },
};

interface Amount {
  readonly amount: string;
  readonly usd: Text;
  readonly sol: Text;
  readonly token: { readonly mint: string; readonly symbol: string };
}

interface Node {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

interface Connection {
  readonly complete: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: Text };
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
}

const GRAPH_AMOUNT = '{ amount usd sol token { mint symbol } }';
const ACTIVITY = `query ($wallet: Address!, $first: Int, $after: String, $filter: ActivityFilter) {
  wallet(address: $wallet) { activity(first: $first, after: $after, filter: $filter) {
    complete pageInfo { hasNextPage endCursor } edges { cursor node {
      __typename kind createdAt signature slot final unknown
      sent ${GRAPH_AMOUNT} received ${GRAPH_AMOUNT} reward ${GRAPH_AMOUNT} fee ${GRAPH_AMOUNT}
      ... on VaultActivity { vaultAddress sharesChange tokens ${GRAPH_AMOUNT} counterparty { address } }
      ... on LendingActivity { marketAddress obligationAddress reserveAddress side amount ${GRAPH_AMOUNT}
        liquidity ${GRAPH_AMOUNT} collateralChange debtChange signer { address } }
      ... on FarmActivity { farmAddress tokenMint stakeChange }
      ... on WithdrawQueueActivity { ticketAddress marketAddress reserveAddress fromVaultAddress ticketChange
        liquidity ${GRAPH_AMOUNT} signer { address } }
      ... on UnreadActivity { reason } } } } } }`;

const PRODUCTS: Readonly<Record<string, string>> = {
  VaultActivity: 'VAULT',
  LendingActivity: 'LENDING',
  FarmActivity: 'FARM',
  WithdrawQueueActivity: 'WITHDRAW_QUEUE',
};

const amountOf = (value: Amount | null) =>
  value && {
    mint: value.token.mint,
    symbol: value.token.symbol,
    amount: value.amount,
    usd: value.usd,
    sol: value.sol,
  };

const AMOUNTS = ['sent', 'received', 'reward', 'fee', 'tokens', 'amount', 'liquidity'];

/** An entry of the graph with the names of REST. */
function restEntry({ __typename, ...fields }: Node, cursor: string): object {
  const named = Object.entries(fields).map(([name, value]) => {
    if (AMOUNTS.includes(name)) return [name, amountOf(value as Amount | null)];
    if (name === 'signer' || name === 'counterparty')
      return [name, (value as { address: string } | null)?.address ?? null];
    return [name === 'fromVaultAddress' ? 'vault' : name.replace(/Address$/, ''), value];
  });
  return { product: PRODUCTS[__typename] ?? null, ...Object.fromEntries(named), cursor };
}

const activityOf = async (graph: Graph, variables: object) =>
  (await graph<{ wallet: { activity: Connection } }>(ACTIVITY, variables as never)).wallet.activity;

const VALUE: Shape = { fields: { usd: { nullable: 'decimal' }, sol: { nullable: 'decimal' } } };
const PARTS = ['interestEarned', 'interestPaid', 'rewards', 'fees', 'liquidations'];
const GAINS = ['realizedGain', 'unrealizedGain'];
const all = (names: readonly string[], shape: Shape) =>
  Object.fromEntries(names.map((name) => [name, shape] as const));

const TOKENS: Shape = {
  list: { fields: { mint: 'address', ...all(PARTS, MAYBE), ...all(GAINS, VALUE) } },
};
const TOTAL: Shape = { fields: all([...PARTS, ...GAINS, 'profit'], VALUE) };

const GRAPH_TOKENS = `tokens { tokenMint ${PARTS.map((name) => `${name} ${GRAPH_AMOUNT}`).join(' ')}
  ${GAINS.map((name) => `${name} { usd sol }`).join(' ')} }`;
const GRAPH_TOTAL = `total { ${[...PARTS, ...GAINS, 'profit'].map((name) => `${name} { usd sol }`).join(' ')} }`;
const INCOME = `query ($wallet: Address!, $range: TimeRange, $by: IncomeStep, $method: CostMethod) {
  wallet(address: $wallet) { income(range: $range, by: $by, method: $method) { by method complete
    periods { start end ${GRAPH_TOKENS} ${GRAPH_TOTAL} } ${GRAPH_TOKENS} ${GRAPH_TOTAL} gaps { reason address } } } }`;

type TokenIncome = Readonly<Record<string, unknown>> & { readonly tokenMint: string };
interface Income {
  readonly periods: readonly { readonly tokens: readonly TokenIncome[] }[];
  readonly tokens: readonly TokenIncome[];
}

const restToken = ({ tokenMint, ...parts }: TokenIncome) => ({
  mint: tokenMint,
  ...Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [
      name,
      PARTS.includes(name) ? amountOf(value as Amount | null) : value,
    ]),
  ),
});

const path = (wallet: string, what: string) => `/portfolio/${wallet}/${what}`;
/** A token of a list of vaults. */
const FOREIGN = 'MS4wLjEuMC5hYmM';

const wrongIn = (url: string, given: readonly (readonly [string, string])[]): Refusal[] =>
  given.map(([at, value]) => badRequest(`${at}=${value}`, `${url}?${at}=${value}`, at));

const COMMON = [
  ['start', 'yesterday'],
  ['end', '2024-13-01'],
] as const;
const FILTER = [...COMMON, ['kinds', 'MINT'], ['products', 'SWAP'], ['vaults', 'nonsense']] as const;

const fileRow = (
  what: string,
  answer: 'text/csv' | 'application/jsonl',
  more: readonly string[],
): OperationRow => ({
  method: 'get',
  path: path('{wallet}', what),
  answer,
  requests: ({ wallets, addresses: { wallet, emptyWallet } }) => [
    ...wallets.slice(0, 3).map((each) => ({ url: path(each, what) })),
    { url: path(wallet, `${what}?limit=2`) },
    { url: path(wallet, `${what}?products=VAULT,FARM&kinds=STAKE`) },
    { url: path(emptyWallet, what) },
    ...more.map((query) => ({ url: path(wallet, `${what}?${query}`) })),
  ],
  refusals: ({ addresses: { wallet } }) => [
    badRequest('no address', path('nonsense', what), 'wallet'),
    ...wrongIn(path(wallet, what), [...FILTER, ['limit', '0'], ['limit', 'all'], ['cursor', FOREIGN]]),
  ],
});

export const BOOK_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: path('{wallet}', 'activity'),
    answer: { fields: { result: { list: ENTRY }, complete: 'boolean', 'paginationToken?': 'label' } },
    requests: ({ wallets, addresses: { wallet, emptyWallet, vault, market } }) => [
      ...wallets.slice(0, 6).map((each) => ({ url: path(each, 'activity'), variables: { wallet: each } })),
      { url: path(wallet, 'activity?limit=3'), variables: { wallet, first: 3 } },
      { url: path(emptyWallet, 'activity'), variables: { wallet: emptyWallet } },
      {
        url: path(wallet, `activity?vaults=${vault}&markets=${market}&kinds=BORROW,VAULT_DEPOSIT`),
        variables: {
          wallet,
          filter: { vaults: [vault], markets: [market], kinds: ['BORROW', 'VAULT_DEPOSIT'] },
        },
      },
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', path('nonsense', 'activity'), 'wallet'),
      ...wrongIn(path(wallet, 'activity'), [
        ...FILTER,
        ['limit', '0'],
        ['limit', '101'],
        ['paginationToken', FOREIGN],
        ['paginationToken', 'nonsense'],
      ]),
    ],
    async twin(graph, variables) {
      const { edges, pageInfo, complete } = await activityOf(graph, { first: 100, ...variables });
      return {
        result: edges.map(({ node, cursor }) => restEntry(node, cursor)),
        complete,
        ...(pageInfo.hasNextPage ? { paginationToken: pageInfo.endCursor } : {}),
      };
    },
  },
  fileRow('activity.csv', 'text/csv', [
    'format=koinly',
    'format=cointracking&limit=3',
    'header=false&limit=1',
  ]),
  fileRow('activity.jsonl', 'application/jsonl', []),
  {
    method: 'get',
    path: path('{wallet}', 'income'),
    answer: {
      fields: {
        by: { oneOf: ['DAY', 'MONTH'] },
        method: { oneOf: ['FIFO', 'AVERAGE'] },
        periods: { list: { fields: { start: 'date', end: 'date', tokens: TOKENS, total: TOTAL } } },
        tokens: TOKENS,
        total: TOTAL,
        gaps: { list: { fields: { reason: 'label', address: 'address' } } },
        complete: 'boolean',
      },
    },
    requests: ({ wallets, addresses: { wallet, emptyWallet } }) => [
      ...wallets.slice(0, 4).map((each) => ({ url: path(each, 'income'), variables: { wallet: each } })),
      { url: path(wallet, 'income?method=AVERAGE'), variables: { wallet, method: 'AVERAGE' } },
      {
        url: path(wallet, 'income?by=DAY&start=2026-05-01&end=2026-05-20'),
        variables: {
          wallet,
          by: 'DAY',
          range: { start: '2026-05-01T00:00:00Z', end: '2026-05-20T00:00:00Z' },
        },
      },
      { url: path(emptyWallet, 'income'), variables: { wallet: emptyWallet } },
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', path('nonsense', 'income'), 'wallet'),
      ...wrongIn(path(wallet, 'income'), [...COMMON, ['by', 'YEAR'], ['method', 'LIFO']]),
    ],
    async twin(graph, variables) {
      const { wallet } = await graph<{ wallet: { income: Income } }>(INCOME, variables);
      const { periods, tokens, ...rest } = wallet.income;
      return {
        ...rest,
        periods: periods.map((period) => ({ ...period, tokens: period.tokens.map(restToken) })),
        tokens: tokens.map(restToken),
      };
    },
  },
  {
    method: 'get',
    path: path('{wallet}', 'income.csv'),
    answer: 'text/csv',
    requests: ({ addresses: { wallet, emptyWallet } }) => [
      { url: path(wallet, 'income.csv') },
      { url: path(wallet, 'income.csv?format=koinly&method=AVERAGE') },
      { url: path(wallet, 'income.csv?format=cointracking') },
      { url: path(emptyWallet, 'income.csv') },
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', path('nonsense', 'income.csv'), 'wallet'),
      ...wrongIn(path(wallet, 'income.csv'), [
        ...COMMON,
        ['by', 'YEAR'],
        ['format', 'xlsx'],
        ['cursor', 'nonsense'],
      ]),
    ],
  },
];
