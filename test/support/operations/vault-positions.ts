import type { Shape } from '../contract/field-shapes.ts';
import { inRanges, wrongRange } from './date-ranges.ts';
import type { Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { Graph, OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import { decimals } from './shapes.ts';

const POSITION_POINT: Shape = {
  fields: {
    createdOn: 'date',
    ...decimals('sharesAmount', 'usdAmount', 'solAmount', 'apy'),
    ...decimals('apyTheoretical', 'apyActual', 'apyFarmRewards', 'apyReservesIncentives'),
    apyIncentives: { nullable: 'decimal' },
    ...decimals('cumulativeInterestEarned', 'cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecond', 'interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
  },
};

const THREE: Shape = { fields: { usd: 'decimal', sol: 'decimal', token: 'decimal' } };

const TOTALS = { totalPnl: THREE, totalCostBasis: THREE } as const;

const PNL_ROW: Shape = {
  fields: {
    timestamp: 'date',
    type: { oneOf: ['buy', 'sell', 'mark-to-market'] },
    position: 'decimal',
    quantity: 'decimal',
    tokenPrice: THREE,
    sharePrice: THREE,
    costBasis: THREE,
    realizedPnl: THREE,
    pnl: THREE,
    positionValue: THREE,
    investment: THREE,
  },
};

interface Three {
  readonly usd: Text;
  readonly sol: Text;
  readonly token: Text;
}

const three = (value: Three, rule: NullRule) => ({
  usd: rule.decimal(value.usd),
  sol: rule.decimal(value.sol),
  token: rule.decimal(value.token),
});

/** REST returns zeros for a position that never existed. */
const FIELDS = '{ usd sol token }';

interface GraphPoint {
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

interface GraphPnlPoint {
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

const POINT_FIELDS = `timestamp kind position quantity prices { usd solUsd tokenUsd } sharePrice ${FIELDS} costBasis ${FIELDS}
  realizedPnl ${FIELDS} pnl ${FIELDS} positionValue ${FIELDS} investment ${FIELDS}`;

const KINDS: Readonly<Record<string, string>> = {
  BUY: 'buy',
  SELL: 'sell',
  MARK_TO_MARKET: 'mark-to-market',
};

/** An operation on the position of a wallet in a vault. */
function row(
  what: string,
  answer: Shape,
  ranged: boolean,
  twin: NonNullable<OperationRow['twin']>,
): OperationRow {
  const of = (wallet: string, vault: string) => `/kvaults/users/${wallet}/vaults/${vault}/${what}`;
  return {
    method: 'get',
    path: of('{userPubkey}', '{vaultPubkey}'),
    answer,
    requests: ({ addresses: { wallet, vault, emptyWallet }, vaults }) => [
      ...(ranged ? inRanges(of(wallet, vault), { wallet, vault }, 'inclusive') : []),
      { url: of(wallet, vault), variables: { wallet, vault } },
      { url: of(emptyWallet, vault), variables: { wallet: emptyWallet, vault } },
      ...vaults
        .slice(0, 3)
        .map(({ address }) => ({ url: of(wallet, address), variables: { wallet, vault: address } })),
    ],
    refusals: ({ addresses: { wallet, vault, emptyWallet } }) => [
      badRequest('no user', of('nobody', vault), 'userPubkey'),
      badRequest('no vault', of(wallet, 'none'), 'vaultPubkey'),
      { name: 'an unknown vault', ask: { url: of(wallet, emptyWallet) }, status: 400 },
      ...(ranged ? wrongRange(of(wallet, vault)) : []),
    ],
    twin,
  };
}

export const VAULT_POSITION_ROWS: readonly OperationRow[] = [
  row('metrics/history', { list: POSITION_POINT }, true, async (graph, variables, rule) => {
    const found = await position<{ metricsHistory: { points: readonly GraphPoint[] } }>(
      graph,
      variables,
      `metricsHistory(range: $range, maxPoints: 2000) { points {
          timestamp shares value ${FIELDS} totalApy theoreticalBaseApy baseApy farmRewardsApy reserveRewardsApy incentivesApy
          interest ${FIELDS} interestPerSecond ${FIELDS} } }`,
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
  }),
  row('pnl', { fields: TOTALS }, false, async (graph, { wallet, vault }, rule) => {
    const { wallet: found } = await graph<{
      wallet: { vaultPosition: { pnl: Three; costBasis: Three } };
    }>(
      `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) {
          vaultPosition(vault: $vault) { pnl ${FIELDS} costBasis ${FIELDS} } } }`,
      { wallet, vault },
    );
    const { pnl, costBasis } = found.vaultPosition;
    return { totalPnl: three(pnl, rule), totalCostBasis: three(costBasis, rule) };
  }),
  row(
    'pnl/history',
    { fields: { history: { list: PNL_ROW }, ...TOTALS } },
    true,
    async (graph, variables, rule) => {
      const found = await position<{
        pnlHistory: { points: readonly GraphPnlPoint[]; totalPnl: Three; totalCostBasis: Three };
      }>(
        graph,
        variables,
        `pnlHistory(range: $range) { points { ${POINT_FIELDS} } totalPnl ${FIELDS} totalCostBasis ${FIELDS} }`,
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
  ),
];
