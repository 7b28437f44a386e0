import type { Shape } from '../contract/field-shapes.ts';
import { comparedRanges, wrongRange } from './date-ranges.ts';
import { present, type Text } from './graph-values.ts';
import type { OperationRow, Refusal } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import type { Subjects } from './subjects.ts';

const SUMMARY = {
  address: 'address',
  authorities: { list: 'address' },
  verified: 'boolean',
  'name?': 'label',
  'website?': 'uri',
  'logoUrl?': 'uri',
  'source?': 'label',
  'checkedAt?': 'date',
  'valueUsd?': 'decimal',
  'valueSol?': 'decimal',
  'performanceFeesUsd?': 'decimal',
  'performanceFeesSol?': 'decimal',
  'managementFeesUsd?': 'decimal',
  'managementFeesSol?': 'decimal',
  'pendingFeesUsd?': 'decimal',
  'pendingFeesSol?': 'decimal',
  vaults: {
    list: { fields: { address: 'address', name: 'string', nameVerified: 'boolean', 'valueUsd?': 'decimal' } },
  },
} as const satisfies Record<string, Shape>;

export const EXPOSURE_KIND: Shape = { oneOf: ['IDLE', 'LIQUIDITY', 'COLLATERAL', 'UNSECURED', 'UNKNOWN'] };

const DETAILS: Shape = {
  fields: {
    ...SUMMARY,
    'allocations?': { list: { fields: { 'market?': 'address', usd: 'decimal', share: 'decimal' } } },
    'exposures?': {
      list: { fields: { kind: EXPOSURE_KIND, 'mint?': 'address', usd: 'decimal', share: 'decimal' } },
    },
    incidents: {
      list: {
        fields: {
          kind: {
            oneOf: [
              ...['BAD_DEBT', 'MARKET_EMERGENCY', 'RESERVE_EMERGENCY', 'RESERVE_DEPOSIT_LIMIT'],
              ...['RESERVE_BORROW_LIMIT', 'ALLOCATION_CAP', 'DEPOSIT_CAP', 'SHARE_VALUE_FELL'],
            ],
          },
          evidence: { oneOf: ['ACCOUNT', 'LOANS', 'HISTORY'] },
          vault: 'address',
          'reserve?': 'address',
          'market?': 'address',
          'since?': 'date',
          ongoing: 'boolean',
          'badDebtUsd?': 'decimal',
          'vaultBadDebtUsd?': 'decimal',
          'fall?': 'decimal',
        },
      },
    },
  },
};

const FEES: Shape = {
  list: {
    fields: {
      timestamp: 'date',
      'performanceFeesUsd?': 'decimal',
      'managementFeesUsd?': 'decimal',
      'feesUsd?': 'decimal',
      vaults: {
        list: {
          fields: {
            vault: 'address',
            'performanceFees?': 'decimal',
            'managementFees?': 'decimal',
            'performanceFeesUsd?': 'decimal',
            'managementFeesUsd?': 'decimal',
          },
        },
      },
    },
  },
};

interface Totals {
  readonly usd: Text;
  readonly sol: Text;
}

interface GraphCurator {
  readonly address: string;
  readonly authorities: readonly string[];
  readonly verified: boolean;
  readonly name: Text;
  readonly website: Text;
  readonly logoUrl: Text;
  readonly source: Text;
  readonly checkedAt: Text;
  readonly value: Totals;
  readonly fees: Readonly<Record<'performance' | 'management' | 'pending', Totals>>;
  readonly vaults: {
    readonly nodes: readonly {
      readonly address: string;
      readonly name: string;
      readonly nameVerified: boolean;
      readonly totalValue: { readonly usd: Text } | null;
    }[];
  };
}

interface GraphDetails extends GraphCurator {
  readonly allocations:
    | readonly { readonly marketAddress: Text; readonly usd: string; readonly share: string }[]
    | null;
  readonly exposures:
    | readonly { readonly kind: string; readonly mint: Text; readonly usd: string; readonly share: string }[]
    | null;
  readonly incidents: readonly {
    readonly kind: string;
    readonly evidence: string;
    readonly ongoing: boolean;
    readonly vault: { readonly address: string };
    readonly reserveAddress: Text;
    readonly market: { readonly address: string } | null;
    readonly since: Text;
    readonly badDebtUsd: Text;
    readonly vaultBadDebtUsd: Text;
    readonly fall: Text;
  }[];
}

interface GraphFees {
  readonly performance: Text;
  readonly management: Text;
  readonly performanceUsd: Text;
  readonly managementUsd: Text;
}

const TOTALS = '{ usd sol }';
const FIELDS = `address authorities verified name website logoUrl source checkedAt value ${TOTALS}
  fees { performance ${TOTALS} management ${TOTALS} pending ${TOTALS} }
  vaults(first: 100) { nodes { address name nameVerified totalValue { usd } } }`;

const restCurator = ({ value, fees, vaults, address, authorities, verified, ...entry }: GraphCurator) => ({
  address,
  authorities,
  verified,
  ...present({
    name: entry.name,
    website: entry.website,
    logoUrl: entry.logoUrl,
    source: entry.source,
    checkedAt: entry.checkedAt,
    valueUsd: value.usd,
    valueSol: value.sol,
    performanceFeesUsd: fees.performance.usd,
    performanceFeesSol: fees.performance.sol,
    managementFeesUsd: fees.management.usd,
    managementFeesSol: fees.management.sol,
    pendingFeesUsd: fees.pending.usd,
    pendingFeesSol: fees.pending.sol,
  }),
  vaults: vaults.nodes.map(({ totalValue, ...vault }) => ({
    ...vault,
    ...present({ valueUsd: totalValue?.usd }),
  })),
});

const parts = (list: GraphDetails['allocations'] | GraphDetails['exposures'], name: string) =>
  list === null
    ? {}
    : {
        [name]: list.map((each) => ({
          ...('kind' in each ? { kind: each.kind } : {}),
          ...present('kind' in each ? { mint: each.mint } : { market: each.marketAddress }),
          usd: each.usd,
          share: each.share,
        })),
      };

const of = (address: string) => `/kvaults/curators/${address}`;

/** No address, and addresses that control no vault. */
const notCurators = (
  { addresses: { emptyWallet, vault } }: Subjects,
  urlOf: (address: string) => string,
): Refusal[] => [
  badRequest('no address', urlOf('nonsense'), 'address'),
  ...[emptyWallet, vault].map((each) => ({
    name: `no curator at ${each}`,
    ask: { url: urlOf(each) },
    status: 404,
    code: 'CURATOR_NOT_FOUND',
  })),
];

export const CURATOR_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: '/kvaults/curators',
    answer: { list: { fields: SUMMARY } },
    requests: () => [
      { url: '/kvaults/curators', variables: {} },
      { url: '/kvaults/curators?verified=true', variables: { filter: { verified: true } } },
      { url: '/kvaults/curators?verified=false', variables: { filter: { verified: false } } },
    ],
    refusals: () => [badRequest('no boolean', '/kvaults/curators?verified=yes', 'verified')],
    async twin(graph, variables) {
      const document = `query ($filter: CuratorFilter) { curators(filter: $filter, first: 100) { nodes { ${FIELDS} } } }`;
      const { curators } = await graph<{ curators: { nodes: GraphCurator[] } }>(document, variables);
      return curators.nodes.map(restCurator);
    },
  },
  {
    method: 'get',
    path: of('{address}'),
    answer: DETAILS,
    requests: ({ addresses: { vaultAdmin }, vaults }) =>
      [vaultAdmin, vaults[1]?.admin ?? ''].map((address) => ({ url: of(address), variables: { address } })),
    refusals: (subjects) => notCurators(subjects, of),
    async twin(graph, variables) {
      const document = `query ($address: Address!) { curator(address: $address) { ${FIELDS}
        allocations { marketAddress usd share } exposures { kind mint usd share }
        incidents { kind evidence ongoing vault { address } reserveAddress market { address } since
          badDebtUsd vaultBadDebtUsd fall } } }`;
      const { curator } = await graph<{ curator: GraphDetails }>(document, variables);
      const { allocations, exposures, incidents, ...rest } = curator;
      return {
        ...restCurator(rest),
        ...parts(allocations, 'allocations'),
        ...parts(exposures, 'exposures'),
        incidents: incidents.map(({ kind, evidence, ongoing, vault, ...incident }) => ({
          kind,
          evidence,
          ongoing,
          vault: vault.address,
          ...present({
            reserve: incident.reserveAddress,
            market: incident.market?.address,
            since: incident.since,
            badDebtUsd: incident.badDebtUsd,
            vaultBadDebtUsd: incident.vaultBadDebtUsd,
            fall: incident.fall,
          }),
        })),
      };
    },
  },
  {
    method: 'get',
    path: `${of('{address}')}/fees/history`,
    answer: FEES,
    requests: ({ addresses: { vaultAdmin: address } }) => [
      ...comparedRanges(`${of(address)}/fees/history`, { address }),
      {
        url: `${of(address)}/fees/history?frequency=hour&start=2026-05-30`,
        variables: { address, interval: 'HOUR', range: { start: '2026-05-30' } },
      },
    ],
    refusals: (subjects) => {
      const urlOf = (address: string) => `${of(address)}/fees/history`;
      const url = urlOf(subjects.addresses.vaultAdmin);
      return [
        ...notCurators(subjects, urlOf),
        ...wrongRange(url),
        badRequest('no frequency', `${url}?frequency=minute`, 'frequency'),
      ];
    },
    async twin(graph, variables) {
      const document = `query ($address: Address!, $range: TimeRange, $interval: Interval) {
        curator(address: $address) { feesHistory(range: $range, interval: $interval, maxPoints: 5000) {
          points { timestamp performanceUsd managementUsd usd
            vaults { vault { address } performance management performanceUsd managementUsd } } } } }`;
      type Points = ({
        timestamp: string;
        usd: Text;
        vaults: ({ vault: { address: string } } & GraphFees)[];
      } & GraphFees)[];
      const { curator } = await graph<{ curator: { feesHistory: { points: Points } } }>(document, variables);
      return curator.feesHistory.points.map(({ timestamp, performanceUsd, managementUsd, usd, vaults }) => ({
        timestamp,
        ...present({ performanceFeesUsd: performanceUsd, managementFeesUsd: managementUsd, feesUsd: usd }),
        vaults: vaults.map(({ vault, ...fees }) => ({
          vault: vault.address,
          ...present({
            performanceFees: fees.performance,
            managementFees: fees.management,
            performanceFeesUsd: fees.performanceUsd,
            managementFeesUsd: fees.managementUsd,
          }),
        })),
      }));
    },
  },
];
