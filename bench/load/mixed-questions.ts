import { nested, portfolio, type Question } from '../peers/questions.ts';
import type { MovingChain } from './moving-chain.ts';

/** One request of the mix. */
export interface Asked {
  readonly path: string;
  /** Absent for a GET. */
  readonly body?: string;
  /** What the answer must have in it to be the one that was asked for. */
  readonly tells: string;
}

/** A kind of request, how many of it come in a second, and the request of a number. */
export interface Kind {
  readonly name: string;
  readonly perSecond: number;
  readonly ask: (number: number) => Asked;
}

const DAY_MS = 86_400_000;
const graph = (question: Question, tells: string): Asked => ({
  path: '/graphql',
  body: JSON.stringify(question),
  tells,
});
const at = (list: readonly string[], number: number) => list[number % list.length] ?? '';

function build({ wallet, market, depositReserve: reserve }: MovingChain['addresses'], number: number): Asked {
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

function restBuild({ wallet, vault: kvault }: MovingChain['addresses'], number: number): Asked {
  const body = JSON.stringify({ wallet, kvault, amount: `1.${number % 1_000}` });
  return { path: '/ktx/kvault/deposit', body, tells: '"transaction"' };
}

/** What a front end of this platform asks all day, in shares that two cores can answer beside everything else. */
export function mixedKinds(chain: MovingChain): readonly Kind[] {
  const { vaults, markets, reserves, wallets, addresses } = chain;
  const rest = (number: number): Asked => {
    const choices: readonly Asked[] = [
      { path: '/kvaults/vaults', tells: '"address"' },
      { path: `/kvaults/vaults/${at(vaults, number)}`, tells: '"address"' },
      { path: `/kvaults/vaults/${at(vaults, number)}/metrics`, tells: '"apy' },
      { path: `/svc-market/${at(markets, number)}/reserves/metrics`, tells: '"reserve"' },
      { path: '/v2/svc-market', tells: '"lendingMarket"' },
      { path: '/tokens-api/tokens?limit=50', tells: '"mint"' },
    ];
    return choices[number % choices.length] ?? { path: '/', tells: '' };
  };
  const past = (number: number): Asked => {
    const start = encodeURIComponent(new Date(Date.now() - DAY_MS).toISOString());
    return { path: `/kvaults/vaults/${at(vaults, number)}/metrics/history?start=${start}`, tells: '[' };
  };
  return [
    { name: 'nested, hot', perSecond: 60, ask: () => graph(nested('same', 0, 30), '"allocations"') },
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

/** The subscription of a client: many look at the same pages, some at their own wallet. */
export function subscriptionOf(chain: MovingChain, client: number): Question {
  const { vaults, reserves, wallets, obligations } = chain;
  const turn = client % 10;
  if (turn < 4) return { query: 'subscription { slot { slot } }', variables: {} };
  if (turn < 7) {
    const from = (client % 5) * 6;
    return {
      query: `subscription ($v: [Address!]!) { vaults(addresses: $v) { slot reason address vault { totalValue { usd } apy { total } } } }`,
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
