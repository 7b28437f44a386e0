import type { Shape } from '../contract/field-shapes.ts';
import { ALL_TIME, comparedRanges, inRanges, wrongRange } from './date-ranges.ts';
import type { Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import { decimals } from './shapes.ts';

const REWARD_TOKEN: Shape = { fields: { tokenMint: 'address', apy: 'decimal' } };

const VAULT_POINT: Shape = {
  fields: {
    timestamp: 'date',
    ...decimals('tvl', 'solTvl', 'apy', 'apyTheoretical', 'apyActual', 'apyFarmRewards'),
    ...decimals('apyReservesIncentives', 'apyIncentives', 'sharePrice'),
    ...decimals('interest', 'interestUsd', 'interestSol'),
    reserves: {
      list: {
        fields: {
          pubkey: 'address',
          ...decimals('supplyApy', 'rewardsApy', 'allocationRatio'),
          rewardTokens: { list: REWARD_TOKEN },
        },
      },
    },
    vaultRewards: { list: REWARD_TOKEN },
  },
};

interface Paid {
  readonly apy: string;
  readonly token: { readonly mint: string };
}

const restPaid = ({ apy, token }: Paid) => ({ tokenMint: token.mint, apy });

const PAID = '{ apy token { mint } }';

interface GraphPoint {
  readonly timestamp: string;
  readonly totalValueUsd: Text;
  readonly totalValueSol: Text;
  readonly sharePriceUsd: Text;
  readonly theoreticalBaseApy: Text;
  readonly apy: Readonly<Record<'base' | 'farmRewards' | 'reserveRewards' | 'incentives', string>> & {
    readonly rewards: readonly Paid[];
  };
  readonly interest: string;
  readonly interestUsd: Text;
  readonly interestSol: Text;
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly supplyInterestApy: Text;
    readonly rewardsApy: Text;
    readonly share: string;
    readonly rewards: readonly Paid[];
  }[];
}

const VAULT_POINTS = `metricsHistory(range: $range, maxPoints: 1000) { points {
  timestamp totalValueUsd totalValueSol sharePriceUsd theoreticalBaseApy interest interestUsd interestSol
  apy { base farmRewards reserveRewards incentives rewards ${PAID} }
  reserves { reserveAddress supplyInterestApy rewardsApy share rewards ${PAID} }
} }`;

const ONE = `query ($address: Address!, $range: TimeRange) {
  vault(address: $address) { ${VAULT_POINTS} }
}`;

const SEVERAL = `query ($addresses: [Address!]!, $range: TimeRange) {
  vaults(filter: { addresses: $addresses }, first: 3) { nodes { address ${VAULT_POINTS} } }
}`;

const restVaultPoint = (point: GraphPoint, rule: NullRule) => ({
  timestamp: point.timestamp,
  tvl: rule.decimal(point.totalValueUsd),
  solTvl: rule.decimal(point.totalValueSol),
  // Interest alone, where the graph’s total has the rewards too.
  apy: rule.decimal(point.theoreticalBaseApy),
  apyTheoretical: rule.decimal(point.theoreticalBaseApy),
  apyActual: point.apy.base,
  apyFarmRewards: point.apy.farmRewards,
  apyReservesIncentives: point.apy.reserveRewards,
  apyIncentives: point.apy.incentives,
  sharePrice: rule.decimal(point.sharePriceUsd),
  interest: point.interest,
  interestUsd: rule.decimal(point.interestUsd),
  interestSol: rule.decimal(point.interestSol),
  reserves: point.reserves.map(({ reserveAddress, supplyInterestApy, rewardsApy, share, rewards }) => ({
    pubkey: reserveAddress,
    supplyApy: rule.decimal(supplyInterestApy),
    rewardsApy: rule.decimal(rewardsApy),
    allocationRatio: share,
    rewardTokens: rewards.map(restPaid),
  })),
  vaultRewards: point.apy.rewards.map(restPaid),
});

const restVaultPoints = (points: readonly GraphPoint[], rule: NullRule) =>
  rule
    .priced(points, ({ totalValueUsd, totalValueSol }) => [totalValueUsd, totalValueSol])
    .map((point) => restVaultPoint(point, rule));

const PATH = '/kvaults/vaults/{pubkey}/metrics/history';
const SEVERAL_PATH = '/kvaults/vaults/metrics/history';
const urlOf = (vault: string) => PATH.replace('{pubkey}', vault);
const severalOf = (vaults: readonly string[]) => `${SEVERAL_PATH}?vaults=${vaults.join(',')}`;
const volumeOf = (vault: string) => `/kvaults/vaults/${vault}/allocation-volume/history`;

export const VAULT_HISTORY_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: PATH,
    answer: { list: VAULT_POINT },
    requests: ({ vaults, addresses: { vault } }) => [
      ...inRanges(urlOf(vault), { address: vault }, 'inclusive'),
      { url: `${urlOf(vault)}${ALL_TIME}` },
      ...vaults.flatMap(({ address }, i) =>
        comparedRanges(urlOf(address), { address }, 'inclusive').slice(0, i < 3 ? 3 : 1),
      ),
    ],
    refusals: ({ addresses }) => [
      badRequest('no address', urlOf('nonsense'), 'pubkey'),
      { name: 'nothing there', ask: { url: urlOf(addresses.emptyWallet) }, status: 404 },
      { name: 'a market', ask: { url: urlOf(addresses.market) }, status: 404 },
      ...wrongRange(urlOf(addresses.vault)),
    ],
    async twin(graph, variables, rule) {
      const { vault } = await graph<{
        vault: { metricsHistory: { points: readonly GraphPoint[] } };
      }>(ONE, variables);
      return restVaultPoints(vault.metricsHistory.points, rule);
    },
  },
  {
    method: 'get',
    path: SEVERAL_PATH,
    answer: { list: { fields: { kvault: 'address', history: { list: VAULT_POINT } } } },
    requests: ({ vaults, addresses: { vault } }) => {
      const addresses = vaults.slice(0, 3).map(({ address }) => address);
      return [
        ...comparedRanges(severalOf(addresses), { addresses }, 'inclusive').map((each) => ({
          ...each,
          url: each.url.replace('?start', '&start'),
        })),
        { url: `${severalOf([vault])}&vaults[]=${vault}` },
      ];
    },
    refusals: ({ addresses: { vault, emptyWallet, market } }) => [
      badRequest('none', SEVERAL_PATH, 'vaults'),
      badRequest('no address', severalOf([vault, 'nonsense']), 'vaults'),
      badRequest('26 vaults', severalOf(Array.from({ length: 26 }, () => vault)), 'vaults'),
      badRequest('reversed', `${severalOf([vault])}&start=2026-02-01&end=2026-01-01`, 'start'),
      { name: 'nothing there', ask: { url: severalOf([vault, emptyWallet]) }, status: 404 },
      { name: 'a market', ask: { url: severalOf([market]) }, status: 404 },
    ],
    sortBy: 'kvault',
    async twin(graph, variables, rule) {
      const { vaults } = await graph<{
        vaults: {
          nodes: readonly { address: string; metricsHistory: { points: readonly GraphPoint[] } }[];
        };
      }>(SEVERAL, variables);
      return vaults.nodes.map(({ address, metricsHistory }) => ({
        kvault: address,
        history: restVaultPoints(metricsHistory.points, rule),
      }));
    },
  },
];

export const VAULT_VOLUME_ROW: OperationRow = {
  method: 'get',
  path: volumeOf('{pubkey}'),
  answer: { list: { fields: { timestamp: 'date', volumeUsd: 'decimal' } } },
  requests: ({ addresses: { vault }, vaults }) => [
    // A range has at most a year.
    ...inRanges(volumeOf(vault), { vault }).filter(({ url }) => !url.includes('start=2020')),
    ...vaults.slice(9, 12).map(({ address }) => ({ url: volumeOf(address), variables: { vault: address } })),
  ],
  refusals: ({ addresses: { vault, emptyWallet, market } }) => [
    badRequest('no address', volumeOf('nonsense'), 'pubkey'),
    { name: 'nothing there', ask: { url: volumeOf(emptyWallet) }, status: 404 },
    { name: 'a market', ask: { url: volumeOf(market) }, status: 404 },
    badRequest('more than a year', `${volumeOf(vault)}?start=2025-01-01&end=2026-01-02`, 'start'),
    badRequest('more than a year up to now', `${volumeOf(vault)}?start=0`, 'start'),
    ...wrongRange(volumeOf(vault)),
  ],
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
};
