import { type GraphRequest, nested, portfolio } from '../peers/queries.ts';
import type { DescribedWorld } from './moving-chain.ts';

/** One request of the mix. */
export interface MixedRequest {
  readonly path: string;
  /** Absent for a GET. */
  readonly body?: string;
  /** Text that a correct answer contains. */
  readonly expected: string;
}

/** A kind of request with its rate. `ask` makes the nth request. */
export interface Kind {
  readonly name: string;
  readonly perSecond: number;
  readonly ask: (number: number) => MixedRequest;
}

const DAY_MS = 86_400_000;
const graph = (request: GraphRequest, expected: string): MixedRequest => ({
  path: '/graphql',
  body: JSON.stringify(request),
  expected,
});
const at = (list: readonly string[], number: number) => list[number % list.length] ?? '';

function build(
  { wallet, market, depositReserve: reserve }: DescribedWorld['addresses'],
  number: number,
): MixedRequest {
  const amount = { tokens: `1.${String(number % 1_000).padStart(3, '0')}` };
  return graph(
    {
      query: `mutation ($input: LendingActionInput!) { buildLendingDeposit(input: $input) { __typename ... on TransactionPlan {
  transactions { base64 sizeBytes } preview { healthFactor { before after } } } } }`,
      variables: { input: { wallet, market, reserve, amount } },
    },
    '"TransactionPlan"',
  );
}

function restBuild({ wallet, vault: kvault }: DescribedWorld['addresses'], number: number): MixedRequest {
  const body = JSON.stringify({ wallet, kvault, amount: `1.${number % 1_000}` });
  return { path: '/ktx/kvault/deposit', body, expected: '"transaction"' };
}

/** The requests of a typical front end, at rates that two shared cores can sustain. */
export function mixedKinds(chain: DescribedWorld): readonly Kind[] {
  const { vaults, markets, reserves, wallets, addresses } = chain;
  const rest = (number: number): MixedRequest => {
    const choices: readonly MixedRequest[] = [
      { path: '/kvaults/vaults', expected: '"address"' },
      { path: `/kvaults/vaults/${at(vaults, number)}`, expected: '"address"' },
      { path: `/kvaults/vaults/${at(vaults, number)}/metrics`, expected: '"apy' },
      { path: `/svc-market/${at(markets, number)}/reserves/metrics`, expected: '"reserve"' },
      { path: '/v2/svc-market', expected: '"lendingMarket"' },
      { path: '/tokens-api/tokens?limit=50', expected: '"mint"' },
    ];
    return choices[number % choices.length] ?? { path: '/', expected: '' };
  };
  const past = (number: number): MixedRequest => {
    const start = encodeURIComponent(new Date(Date.now() - DAY_MS).toISOString());
    return { path: `/kvaults/vaults/${at(vaults, number)}/metrics/history?start=${start}`, expected: '[' };
  };
  return [
    { name: 'nested, cached', perSecond: 60, ask: () => graph(nested('same', 0, 30), '"allocations"') },
    {
      name: 'nested, distinct',
      perSecond: 4,
      ask: (number) => graph(nested('variables', number, 30), '"allocations"'),
    },
    {
      name: 'wallet, distinct',
      perSecond: 12,
      ask: (number) => graph(portfolio(at(wallets, number)), '"vaultPositions"'),
    },
    { name: 'REST read', perSecond: 60, ask: rest },
    { name: 'REST history', perSecond: 3, ask: past },
    {
      name: 'reserve, distinct',
      perSecond: 10,
      ask: (number) =>
        graph(
          {
            query: `query R${number % 500}($r: Address!) { reserve(address: $r) { supplyApy { total } utilization token { symbol price { usd } } } }`,
            variables: { r: at(reserves, number) },
          },
          '"supplyApy"',
        ),
    },
    { name: 'build, graph', perSecond: 2, ask: (number) => build(addresses, number) },
    { name: 'build, REST', perSecond: 2, ask: (number) => restBuild(addresses, number) },
  ];
}

/** The subscription of a client: many watch the same pages, some their own wallet. */
export function subscriptionOf(chain: DescribedWorld, client: number): GraphRequest {
  const { vaults, reserves, wallets, obligations } = chain;
  const turn = client % 10;
  if (turn < 4) return { query: 'subscription { slot { slot } }', variables: {} };
  if (turn < 7) {
    const from = (client % 5) * 6;
    return {
      query: `subscription ($v: [Address!]!) { vaults(addresses: $v) { slot reason address vault { totalValue { usd } currentApy { total } } } }`,
      variables: { v: vaults.slice(from, from + 6) },
    };
  }
  if (turn < 9) {
    return {
      query: `subscription ($r: [Address!]!) { reserves(addresses: $r) { slot reason address reserve { utilization supplyApy { total } } } }`,
      variables: { r: reserves.slice((client % 4) * 5, (client % 4) * 5 + 5) },
    };
  }
  return client % 20 === 9
    ? {
        query: `subscription ($w: Address!) { wallet(address: $w) { slot reason wallet { netValue { usd } } } }`,
        variables: { w: at(wallets, client) },
      }
    : {
        query: `subscription ($o: [Address!]!) { obligations(addresses: $o) { slot reason address obligation { healthFactor } } }`,
        variables: { o: [at(obligations, client)] },
      };
}
