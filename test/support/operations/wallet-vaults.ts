import type { Shape } from '../contract/field-shapes.ts';
import { comparedRanges, inRanges, wrongRange } from './date-ranges.ts';
import type { Text } from './graph-values.ts';
import type { Graph, OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import { decimals } from './shapes.ts';
import type { Subjects } from './subjects.ts';

const TRANSACTION: Shape = {
  fields: {
    createdOn: 'date',
    instruction: { oneOf: ['deposit', 'withdraw'] },
    tokenMint: 'address',
    ...decimals('tokenAmount', 'tokenPrice', 'solPrice', 'sharePrice', 'numberOfShares', 'usdValue'),
    transaction: 'label',
    kvault: 'address',
    latestPosition: 'boolean',
  },
};

const USER_POINT: Shape = {
  fields: {
    createdOn: 'date',
    ...decimals('usdAmount', 'solAmount', 'weightedApy'),
    ...decimals('cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
  },
};

interface Two {
  readonly usd: Text;
  readonly sol: Text;
}

const TWO = '{ usd sol }';

interface GraphTransaction {
  readonly createdAt: string;
  readonly kind: string;
  readonly tokens: { readonly amount: string; readonly token: { readonly mint: string } };
  readonly shares: string;
  readonly sharePriceUsd: Text;
  readonly tokenPriceUsd: Text;
  readonly solPriceUsd: Text;
  readonly valueUsd: Text;
  readonly signature: string;
  readonly latestPosition: boolean;
  readonly vault: { readonly address: string };
}

interface Transactions {
  readonly wallet: {
    readonly vaultTransactions: {
      readonly nodes: readonly GraphTransaction[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

async function allTransactions(graph: Graph, address: unknown): Promise<GraphTransaction[]> {
  const list: GraphTransaction[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { wallet }: Transactions = await graph<Transactions>(
      `query ($address: Address!, $after: String) { wallet(address: $address) {
        vaultTransactions(filter: { kinds: [DEPOSIT, WITHDRAW] }, first: 50, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { createdAt kind tokens { amount token { mint } } shares sharePriceUsd tokenPriceUsd
            solPriceUsd valueUsd signature latestPosition vault { address } }
        } } }`,
      { address, after },
    );
    list.push(...wallet.vaultTransactions.nodes);
    ({ hasNextPage: more, endCursor: after } = wallet.vaultTransactions.pageInfo);
  }
  return list;
}

interface WalletPoint {
  readonly timestamp: string;
  readonly value: Two;
  readonly weightedTotalApy: Text;
  readonly interest: Two;
  readonly interestPerSecond: Two;
}

/** A few wallets only: reading their transactions is slow. */
const some = ({ wallets }: Subjects) => wallets.slice(0, 5);

const transactionsOf = (wallet: string) => `/kvaults/users/${wallet}/transactions`;
const metricsOf = (wallet: string) => `/kvaults/users/${wallet}/metrics/history`;

export const WALLET_VAULT_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: transactionsOf('{pubkey}'),
    answer: { list: TRANSACTION },
    requests: (subjects) =>
      some(subjects).map((address) => ({ url: transactionsOf(address), variables: { address } })),
    refusals: () => [badRequest('no address', transactionsOf('nobody'), 'pubkey')],
    twin: async (graph, { address }, rule) =>
      (await allTransactions(graph, address)).map((each) => ({
        createdOn: each.createdAt,
        instruction: each.kind.toLowerCase(),
        tokenMint: each.tokens.token.mint,
        tokenAmount: each.tokens.amount,
        tokenPrice: rule.decimal(each.tokenPriceUsd),
        solPrice: rule.decimal(each.solPriceUsd),
        sharePrice: rule.decimal(each.sharePriceUsd),
        numberOfShares: each.shares,
        usdValue: rule.decimal(each.valueUsd),
        transaction: each.signature,
        kvault: each.vault.address,
        latestPosition: each.latestPosition,
      })),
  },
  {
    method: 'get',
    path: metricsOf('{pubkey}'),
    answer: { list: USER_POINT },
    requests: (subjects) => [
      ...inRanges(metricsOf(subjects.addresses.wallet), { address: subjects.addresses.wallet }, 'inclusive'),
      ...some(subjects).flatMap((address) => comparedRanges(metricsOf(address), { address }).slice(0, 1)),
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', metricsOf('nobody'), 'pubkey'),
      ...wrongRange(metricsOf(wallet)),
    ],
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{ wallet: { metricsHistory: { points: readonly WalletPoint[] } } }>(
        `query ($address: Address!, $range: TimeRange) { wallet(address: $address) {
          metricsHistory(range: $range, maxPoints: 2000) { points {
            timestamp value ${TWO} weightedTotalApy interest ${TWO} interestPerSecond ${TWO} } } } }`,
        variables,
      );
      const points = rule.priced(wallet.metricsHistory.points, ({ value }) => [value.usd, value.sol]);
      return points.map((point) => ({
        createdOn: point.timestamp,
        usdAmount: point.value.usd,
        solAmount: point.value.sol,
        weightedApy: rule.decimal(point.weightedTotalApy),
        cumulativeInterestEarnedUsd: rule.decimal(point.interest.usd),
        cumulativeInterestEarnedSol: rule.decimal(point.interest.sol),
        interestEarnedPerSecondUsd: rule.decimal(point.interestPerSecond.usd),
        interestEarnedPerSecondSol: rule.decimal(point.interestPerSecond.sol),
      }));
    },
  },
];
