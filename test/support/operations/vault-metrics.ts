import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import type { Amount } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import { decimals } from './shapes.ts';
import { vaultRow } from './vaults.ts';

const VAULT_METRICS = {
  fields: {
    ...decimals('apy24h', 'apy7d', 'apy30d', 'apy90d', 'apy180d', 'apy365d'),
    ...decimals('apy', 'apyTheoretical', 'apyActual', 'apyFarmRewards', 'apyIncentives'),
    ...decimals('apyReservesIncentives', 'tokenPrice', 'solPrice'),
    ...decimals('tokensAvailable', 'tokensAvailableUsd', 'tokensInvested', 'tokensInvestedUsd'),
    ...decimals('sharePrice', 'tokensPerShare', 'sharesIssued'),
    numberOfHolders: 'integer',
    ...decimals('cumulativeInterestEarned', 'cumulativeInterestEarnedUsd', 'cumulativeInterestEarnedSol'),
    ...decimals('interestEarnedPerSecond', 'interestEarnedPerSecondUsd', 'interestEarnedPerSecondSol'),
    ...decimals('cumulativePerformanceFees', 'cumulativePerformanceFeesUsd', 'cumulativePerformanceFeesSol'),
    ...decimals('cumulativeManagementFees', 'cumulativeManagementFeesUsd', 'cumulativeManagementFeesSol'),
  },
} as const satisfies Shape;

const AMOUNT = '{ amount usd sol }';

const METRIC_FIELDS = `address token { price { usd } }
  currentApy { base farmRewards incentives reserveRewards }
  ${['H24', 'D7', 'D30', 'D90', 'D180', 'D365']
    .map((period) => `${period.toLowerCase()}: realisedInterestApy(over: ${period}) { apy }`)
    .join(' ')}
  theoreticalApy { base } holders
  idle ${AMOUNT} invested ${AMOUNT} tokensPerShare sharePriceUsd sharesIssued
  interest { earned ${AMOUNT} perSecond ${AMOUNT} }
  fees { cumulativePerformance ${AMOUNT} cumulativeManagement ${AMOUNT} }`;

const METRICS = `query ($address: Address!, $sol: Address!) {
  sol: token(mint: $sol) { price { usd } }
  vault(address: $address) { ${METRIC_FIELDS} }
}`;

const METRICS_PAGE = `query ($first: Int!, $sol: Address!) {
  sol: token(mint: $sol) { price { usd } }
  vaults(first: $first) { nodes { ${METRIC_FIELDS} } pageInfo { hasNextPage endCursor } }
}`;

type Realised = Readonly<
  Record<'h24' | 'd7' | 'd30' | 'd90' | 'd180' | 'd365', { readonly apy: string } | null>
>;

interface GraphMetrics {
  readonly sol: { readonly price: { readonly usd: string } | null };
  readonly vault: Realised & {
    readonly address: string;
    readonly holders: number | null;
    readonly token: { readonly price: { readonly usd: string } | null };
    readonly currentApy: Readonly<
      Record<'base' | 'farmRewards' | 'incentives' | 'reserveRewards', string>
    > | null;
    readonly theoreticalApy: { readonly base: string } | null;
    readonly idle: Amount;
    readonly invested: Amount | null;
    readonly tokensPerShare: string | null;
    readonly sharePriceUsd: string | null;
    readonly sharesIssued: string;
    readonly interest: { readonly earned: Amount; readonly perSecond: Amount | null };
    readonly fees: Readonly<Record<'cumulativePerformance' | 'cumulativeManagement', Amount>>;
  };
}

interface GraphMetricsPage extends Pick<GraphMetrics, 'sol'> {
  readonly vaults: {
    readonly nodes: readonly GraphMetrics['vault'][];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** An amount as three fields. */
const valued = (name: string, amount: Amount | null, rule: NullRule) => ({
  [name]: rule.decimal(amount?.amount),
  [`${name}Usd`]: rule.decimal(amount?.usd),
  [`${name}Sol`]: rule.decimal(amount?.sol),
});

function restMetrics({ sol, vault }: GraphMetrics, rule: NullRule) {
  const { currentApy: apy, fees, interest, idle, invested } = vault;
  return {
    apy24h: rule.decimal(vault.h24?.apy),
    apy7d: rule.decimal(vault.d7?.apy),
    apy30d: rule.decimal(vault.d30?.apy),
    apy90d: rule.decimal(vault.d90?.apy),
    apy180d: rule.decimal(vault.d180?.apy),
    apy365d: rule.decimal(vault.d365?.apy),
    numberOfHolders: rule.count(vault.holders),
    // Interest alone, where the graph’s total has the rewards too.
    apy: rule.decimal(vault.theoreticalApy?.base),
    apyActual: rule.decimal(apy?.base),
    apyTheoretical: rule.decimal(vault.theoreticalApy?.base),
    apyFarmRewards: rule.decimal(apy?.farmRewards),
    apyIncentives: rule.decimal(apy?.incentives),
    apyReservesIncentives: rule.decimal(apy?.reserveRewards),
    tokenPrice: rule.decimal(vault.token.price?.usd),
    solPrice: rule.decimal(sol.price?.usd),
    tokensAvailable: idle.amount,
    tokensAvailableUsd: rule.decimal(idle.usd),
    tokensInvested: rule.decimal(invested?.amount),
    tokensInvestedUsd: rule.decimal(invested?.usd),
    sharePrice: rule.decimal(vault.sharePriceUsd),
    tokensPerShare: rule.decimal(vault.tokensPerShare),
    sharesIssued: vault.sharesIssued,
    ...valued('cumulativeInterestEarned', interest.earned, rule),
    ...valued('interestEarnedPerSecond', interest.perSecond, rule),
    ...valued('cumulativePerformanceFees', fees.cumulativePerformance, rule),
    ...valued('cumulativeManagementFees', fees.cumulativeManagement, rule),
  };
}

const PAGE = '/kvaults/vaults/metrics';

export const VAULT_METRICS_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: PAGE,
    answer: {
      fields: {
        result: { list: { fields: { kvault: 'address', ...VAULT_METRICS.fields } } },
        'paginationToken?': 'label',
      },
    },
    requests: () => [
      { url: PAGE, variables: { first: 100 } },
      ...[1, 3, 100].map((first) => ({ url: `${PAGE}?limit=${first}`, variables: { first } })),
    ],
    refusals: () =>
      [
        ['limit', '0'],
        ['limit', '101'],
        ['paginationToken', 'nonsense'],
        ['paginationToken', ''],
      ].map(([at = '', value]) => badRequest(`${at}=${value}`, `${PAGE}?${at}=${value}`, at)),
    async twin(graph, variables, rule) {
      const { sol, vaults } = await graph<GraphMetricsPage>(METRICS_PAGE, {
        ...variables,
        sol: WRAPPED_SOL_MINT,
      });
      const { hasNextPage, endCursor } = vaults.pageInfo;
      return {
        result: vaults.nodes.map((vault) => ({
          kvault: vault.address,
          ...restMetrics({ sol, vault }, rule),
        })),
        ...(hasNextPage ? { paginationToken: endCursor } : {}),
      };
    },
  },
  vaultRow('/kvaults/vaults/{pubkey}/metrics', VAULT_METRICS, async (graph, variables, rule) =>
    restMetrics(await graph<GraphMetrics>(METRICS, { ...variables, sol: WRAPPED_SOL_MINT }), rule),
  ),
];
