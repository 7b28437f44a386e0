import type { Subjects } from '../contract/rows/contract-row.ts';
import type { Graph, NullRule, ParityCase, ParityRow } from './parity-row.ts';

type Text = string | null;
interface Three {
  readonly usd: Text;
  readonly sol: Text;
  readonly token: Text;
}
interface Two {
  readonly usd: Text;
  readonly sol: Text;
}

const three = (value: Three, rule: NullRule) => ({
  usd: rule.decimal(value.usd),
  sol: rule.decimal(value.sol),
  token: rule.decimal(value.token),
});
/** REST returns zeros for a position that never existed. */
const THREE = '{ usd sol token }';
const TWO = '{ usd sol }';

const RANGE = { start: '2026-05-25T00:00:00.000Z', end: '2026-05-31T00:00:00.000Z' };
const QUERY = `?start=${RANGE.start}&end=${RANGE.end}`;

interface Transaction {
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
      readonly nodes: readonly Transaction[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

async function allTransactions(graph: Graph, address: unknown): Promise<Transaction[]> {
  const list: Transaction[] = [];
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
interface PositionPoint {
  readonly timestamp: string;
  readonly shares: string;
  readonly value: Three;
  readonly totalApy: Text;
  readonly theoreticalBaseApy: Text;
  readonly baseApy: Text;
  readonly farmRewardsApy: Text;
  readonly reserveRewardsApy: Text;
  readonly incentivesApy: Text;
  readonly interest: Three;
  readonly interestPerSecond: Three | null;
}
interface PnlPoint {
  readonly timestamp: string;
  readonly kind: string;
  readonly position: string;
  readonly quantity: string;
  readonly prices: { readonly usd: Text; readonly solUsd: Text; readonly tokenUsd: Text };
  readonly sharePrice: Three;
  readonly costBasis: Three;
  readonly realizedPnl: Three;
  readonly pnl: Three;
  readonly positionValue: Three;
  readonly investment: Three;
}

/** The position of a wallet; without shares if it has left the vault or never entered it. */
async function position<T>(graph: Graph, variables: Readonly<Record<string, unknown>>, fields: string) {
  const { wallet } = await graph<{ wallet: { vaultPosition: T } }>(
    `query ($wallet: Address!, $vault: Address!, $range: TimeRange) { wallet(address: $wallet) {
      vaultPosition(vault: $vault) { ${fields} } } }`,
    { range: null, ...variables },
  );
  return wallet.vaultPosition;
}

const inVault = (what: string, ranged: boolean) => ({
  path: `/kvaults/users/{userPubkey}/vaults/{vaultPubkey}/${what}`,
  cases: ({ addresses: { wallet, vault, emptyWallet } }: Subjects): ParityCase[] => {
    const url = (of: string) => `/kvaults/users/${of}/vaults/${vault}/${what}`;
    return [
      { url: url(wallet), variables: { wallet, vault } },
      { url: url(emptyWallet), variables: { wallet: emptyWallet, vault } },
      ...(ranged ? [{ url: `${url(wallet)}${QUERY}`, variables: { wallet, vault, range: RANGE } }] : []),
    ];
  },
});

const POINT_FIELDS = `timestamp kind position quantity prices { usd solUsd tokenUsd } sharePrice ${THREE} costBasis ${THREE}
  realizedPnl ${THREE} pnl ${THREE} positionValue ${THREE} investment ${THREE}`;
const KINDS: Readonly<Record<string, string>> = {
  BUY: 'buy',
  SELL: 'sell',
  MARK_TO_MARKET: 'mark-to-market',
};

export const EARN_POSITION_PARITY: readonly ParityRow[] = [
  {
    path: '/kvaults/users/{pubkey}/transactions',
    cases: ({ wallets }) =>
      wallets.slice(0, 4).map((wallet) => ({
        url: `/kvaults/users/${wallet}/transactions`,
        variables: { address: wallet },
      })),
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
    path: '/kvaults/users/{pubkey}/metrics/history',
    cases: ({ wallets, addresses: { wallet } }) => [
      ...wallets.slice(0, 4).map((each) => ({
        url: `/kvaults/users/${each}/metrics/history`,
        variables: { address: each, range: null },
      })),
      {
        url: `/kvaults/users/${wallet}/metrics/history${QUERY}`,
        variables: { address: wallet, range: RANGE },
      },
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
  {
    ...inVault('metrics/history', true),
    async twin(graph, variables, rule) {
      const found = await position<{ metricsHistory: { points: readonly PositionPoint[] } }>(
        graph,
        variables,
        `metricsHistory(range: $range, maxPoints: 2000) { points {
          timestamp shares value ${THREE} totalApy theoreticalBaseApy baseApy farmRewardsApy reserveRewardsApy incentivesApy
          interest ${THREE} interestPerSecond ${THREE} } }`,
      );
      const points = rule.priced(found.metricsHistory.points, ({ value }) => [value.usd, value.sol]);
      return points.map((point) => ({
        createdOn: point.timestamp,
        sharesAmount: point.shares,
        usdAmount: point.value.usd,
        solAmount: point.value.sol,
        apy: rule.decimal(point.totalApy),
        apyTheoretical: rule.decimal(point.theoreticalBaseApy),
        apyActual: rule.decimal(point.baseApy),
        apyFarmRewards: rule.decimal(point.farmRewardsApy),
        apyReservesIncentives: rule.decimal(point.reserveRewardsApy),
        apyIncentives: point.incentivesApy,
        cumulativeInterestEarned: rule.decimal(point.interest.token),
        cumulativeInterestEarnedUsd: rule.decimal(point.interest.usd),
        cumulativeInterestEarnedSol: rule.decimal(point.interest.sol),
        interestEarnedPerSecond: rule.decimal(point.interestPerSecond?.token),
        interestEarnedPerSecondUsd: rule.decimal(point.interestPerSecond?.usd),
        interestEarnedPerSecondSol: rule.decimal(point.interestPerSecond?.sol),
      }));
    },
  },
  {
    ...inVault('pnl', false),
    async twin(graph, { wallet, vault }, rule) {
      const { wallet: found } = await graph<{
        wallet: { vaultPosition: { pnl: Three; costBasis: Three } };
      }>(
        `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) {
          vaultPosition(vault: $vault) { pnl ${THREE} costBasis ${THREE} } } }`,
        { wallet, vault },
      );
      const { pnl, costBasis } = found.vaultPosition;
      return { totalPnl: three(pnl, rule), totalCostBasis: three(costBasis, rule) };
    },
  },
  {
    ...inVault('pnl/history', true),
    async twin(graph, variables, rule) {
      const found = await position<{
        pnlHistory: { points: readonly PnlPoint[]; totalPnl: Three; totalCostBasis: Three };
      }>(
        graph,
        variables,
        `pnlHistory(range: $range) { points { ${POINT_FIELDS} } totalPnl ${THREE} totalCostBasis ${THREE} }`,
      );
      const { points, totalPnl, totalCostBasis } = found.pnlHistory;
      const last = points.at(-1);
      const priced = rule.priced(points, (point) =>
        point.kind === 'MARK_TO_MARKET' && point !== last
          ? [point.positionValue.usd, point.positionValue.sol]
          : [],
      );
      return {
        history: priced.map(({ timestamp, kind, position: shares, quantity, ...values }) => ({
          timestamp,
          type: KINDS[kind],
          position: shares,
          quantity,
          tokenPrice: three(
            { usd: values.prices.usd, sol: values.prices.solUsd, token: values.prices.tokenUsd },
            rule,
          ),
          sharePrice: three(values.sharePrice, rule),
          costBasis: three(values.costBasis, rule),
          realizedPnl: three(values.realizedPnl, rule),
          pnl: three(values.pnl, rule),
          positionValue: three(values.positionValue, rule),
          investment: three(values.investment, rule),
        })),
        totalPnl: three(totalPnl, rule),
        totalCostBasis: three(totalCostBasis, rule),
      };
    },
  },
  {
    path: '/kvaults/vaults/{pubkey}/allocation-volume/history',
    cases: ({ addresses: { vault } }) => {
      const url = `/kvaults/vaults/${vault}/allocation-volume/history`;
      return [
        { url, variables: { vault, range: null } },
        { url: `${url}${QUERY}`, variables: { vault, range: RANGE } },
      ];
    },
    async twin(graph, variables, rule) {
      const { vault } = await graph<{
        vault: { allocationVolume: { points: readonly { timestamp: string; volumeUsd: Text }[] } };
      }>(
        `query ($vault: Address!, $range: TimeRange) { vault(address: $vault) {
          allocationVolume(range: $range) { points { timestamp volumeUsd } } } }`,
        variables,
      );
      return rule.priced(vault.allocationVolume.points, ({ volumeUsd }) => [volumeUsd]);
    },
  },
];
