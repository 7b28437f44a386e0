import type { WorldAddresses } from '@sluice/localnet/world-addresses';

/** Data source of an answer: the View, live reads, live reads for a transaction, or the database. */
export type Source = 'view' | 'live' | 'build' | 'history';

/** One request of the steady traffic. */
export interface Question {
  readonly name: string;
  readonly source: Source;
  readonly api: 'graph' | 'rest';
  readonly path: string;
  readonly body?: object;
}

/** A range before the world began, so no recorder adds to it. */
export interface Past {
  readonly start: string;
  readonly end: string;
}

const NESTED = `query ($first: Int!) { vaults(first: $first) { totalCount nodes {
  address name sharesIssued tokensPerShare sharePriceUsd totalValue { amount usd sol } currentApy { total base farmRewards }
  allocations { reserveAddress actualShare invested { amount usd }
    reserve { supplyApy { total } utilization market { name } token { symbol price { usd } } } } } } }`;

const WALLET = `query ($wallet: Address!) { wallet(address: $wallet) {
  netValue { usd sol }
  vaultPositions { nodes { stakedShares unstakedShares value { amount usd } vault { name sharePriceUsd } } }
  obligations { nodes { address healthFactor netValue { usd } stats { loanToValue leverage }
    deposits { amount { amount usd } liquidationPriceUsd } borrows { amount { amount usd } liquidationPriceUsd } } } } }`;

const BUILD = `mutation ($input: LendingActionInput!) { buildLendingBorrow(input: $input) { __typename
  ... on BuildError { code message }
  ... on TransactionPlan {
    transactions { base64 sizeBytes lastValidBlockHeight }
    preview { healthFactor { before after } loanToValue { before after } }
    simulation { success unitsConsumed error { name } } } } }`;

const HISTORY = `query ($vault: Address!, $range: TimeRange) { vault(address: $vault) {
  metricsHistory(range: $range) { points { timestamp totalValueUsd sharePriceUsd } } } }`;

/** Light traffic that covers every data source, through GraphQL and REST. */
export function questionsAbout(addresses: WorldAddresses, past: Past): readonly Question[] {
  const { wallet, market, vault, obligation, borrowReserve } = addresses;
  const graph = (name: string, source: Source, query: string, variables: object): Question => {
    return { name, source, api: 'graph', path: '/graphql', body: { query, variables } };
  };
  const rest = (name: string, source: Source, path: string, body?: object): Question => {
    return { name, source, api: 'rest', path, ...(body === undefined ? {} : { body }) };
  };
  const range = `start=${past.start}&end=${past.end}`;
  return [
    graph('nested vaults', 'view', NESTED, { first: 50 }),
    rest('vaults', 'view', '/kvaults/vaults'),
    rest('reserves', 'view', `/svc-market/${market}/reserves/metrics`),
    graph('wallet', 'live', WALLET, { wallet }),
    rest('positions', 'live', `/kvaults/users/${wallet}/positions`),
    rest('loan', 'live', `/klend/loans/${obligation}`),
    graph('borrow', 'build', BUILD, {
      input: { wallet, market, reserve: borrowReserve, amount: { tokens: '1' } },
    }),
    rest('deposit', 'build', '/ktx/kvault/deposit', { wallet, kvault: vault, amount: '1' }),
    graph('vault history', 'history', HISTORY, { vault, range: past }),
    rest('market history', 'history', `/svc-market/${market}/metrics/history?${range}`),
    rest('vault history', 'history', `/kvaults/vaults/${vault}/metrics/history?${range}`),
  ];
}

/** Subscriptions of the steady traffic: one answered from the View, one with live reads. */
export const STREAMS = {
  vaults: {
    subscription: `subscription ($a: [Address!]!) { vaults(addresses: $a) { slot reason vault {
      sharesIssued tokensPerShare sharePriceUsd totalValue { amount usd } } } }`,
    query: `query ($a: Address!) { vault(address: $a) {
      sharesIssued tokensPerShare sharePriceUsd totalValue { amount usd } } }`,
    field: 'vault',
    source: 'view',
  },
  obligations: {
    subscription: `subscription ($a: [Address!]!) { obligations(addresses: $a) { slot reason obligation {
      healthFactor netValue { usd } deposits { amount { amount usd } } borrows { amount { amount usd } } } } }`,
    query: `query ($a: Address!) { obligation(address: $a) {
      healthFactor netValue { usd } deposits { amount { amount usd } } borrows { amount { amount usd } } } }`,
    field: 'obligation',
    source: 'live',
  },
} as const;

export type StreamName = keyof typeof STREAMS;

export const streamQuestion = (name: StreamName, address: string): Question => ({
  name: `stream of ${name}`,
  source: STREAMS[name].source,
  api: 'graph',
  path: '/graphql',
  body: { query: STREAMS[name].query, variables: { a: address } },
});
