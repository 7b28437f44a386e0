import type { Shape } from '../contract/field-shapes.ts';
import { roundedPositions, type Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import { FIGURES, STATS } from './obligations.ts';
import type { OperationRow, Refusal } from './operation-row.ts';
import { notThere } from './refusals.ts';

const POSITION: Shape = {
  fields: { amount: 'decimal', mintAddress: 'address', marketValueRefreshed: 'decimal' },
};

const HISTORY: Shape = {
  fields: {
    obligation: 'address',
    history: {
      list: {
        fields: {
          timestamp: 'date',
          refreshedStats: STATS,
          deposits: { list: POSITION },
          borrows: { list: POSITION },
          tag: 'integer',
          obligationSolValues: {
            fields: {
              netValueSol: 'decimal',
              collateralValueSol: 'decimal',
              debtValueSol: 'decimal',
              solPrice: 'decimal',
              timestampSolPrice: 'date',
              timestampObligation: 'date',
            },
          },
        },
      },
    },
  },
};

interface GraphPosition {
  readonly amount: {
    readonly baseUnits: string;
    readonly usd: Text;
    readonly token: { readonly mint: string };
  };
}

interface GraphPoint {
  readonly timestamp: string;
  readonly sampledAt: string;
  readonly deposits: readonly GraphPosition[];
  readonly borrows: readonly GraphPosition[];
  readonly stats: Readonly<Record<string, string | number>>;
  readonly netValueSol: Text;
  readonly collateralValueSol: Text;
  readonly debtValueSol: Text;
  readonly solPriceUsd: Text;
  readonly solPriceAt: Text;
}

const POSITION_FIELDS = '{ amount { baseUnits usd token { mint } } }';

const STATS_FIELDS = [
  ...FIGURES.map(([rest, graph]) => `${rest}: ${graph}`),
  'potentialElevationGroupUpdate',
].join(' ');

const restPosition = ({ amount }: GraphPosition, rule: NullRule) => ({
  amount: amount.baseUnits,
  mintAddress: amount.token.mint,
  marketValueRefreshed: rule.decimal(amount.usd),
});

const restPoint = (point: GraphPoint, tag: number, rule: NullRule) => ({
  timestamp: point.timestamp,
  refreshedStats: point.stats,
  deposits: point.deposits.map((each) => restPosition(each, rule)),
  borrows: point.borrows.map((each) => restPosition(each, rule)),
  tag,
  obligationSolValues: {
    netValueSol: point.netValueSol,
    collateralValueSol: point.collateralValueSol,
    debtValueSol: point.debtValueSol,
    solPrice: point.solPriceUsd,
    timestampSolPrice: point.solPriceAt,
    timestampObligation: point.sampledAt,
  },
});

const of = (market: string, obligation: string) =>
  `/v2/svc-market/${market}/obligations/${obligation}/metrics/history`;

/** The history of an obligation documents only 500. */
const failed = { status: 500, code: 'BAD_REQUEST' };

const wrongInput = (url: string): Refusal[] =>
  [
    ['no date', '?start=yesterday'],
    ['reversed', '?start=2026-02-01&end=2026-01-01'],
    ['no truth', '?useStakeRateForObligation=yes'],
    ['no env', '?env=other'],
  ].map(([name = '', query]) => ({ name, ask: { url: `${url}${query}` }, ...failed }));

const RANGE = { start: '2026-05-30T00:00:00.000Z', end: '2026-05-31T00:00:00.000Z' };

export const OBLIGATION_HISTORY_ROW: OperationRow = {
  method: 'get',
  path: of('{marketPubkey}', '{obligationPubkey}'),
  answer: HISTORY,
  requests: ({ obligations, addresses: { market, obligation } }) => [
    ...obligations.flatMap((each) => [
      { url: of(each.market, each.address), variables: { address: each.address } },
      {
        url: `${of(each.market, each.address)}?useStakeRateForObligation=true&start=${RANGE.start}&end=${RANGE.end}`,
        variables: { address: each.address, range: RANGE, useStakeRate: true },
      },
    ]),
    ...[
      '?useStakeRateForObligation=true',
      '?useStakeRateForObligation=false&env=localnet',
      '?start=2026-05-30T00:00Z&end=2026-05-31',
      '?start=1780099200000',
      '?start=2020-01-01&end=2021-01-01',
    ].map((query) => ({ url: `${of(market, obligation)}${query}` })),
  ],
  refusals: (subjects) => {
    const { market, obligation } = subjects.addresses;
    return [
      { name: 'no market', ask: { url: of('nonsense', obligation) }, ...failed },
      { name: 'no obligation', ask: { url: of(market, 'nonsense') }, ...failed },
      ...notThere(subjects, of, failed),
      ...wrongInput(of(market, obligation)),
    ];
  },
  rounded: (body) => {
    const { history, ...rest } = body as { history: Parameters<typeof roundedPositions>[0][] };
    return { ...rest, history: history.map(roundedPositions) };
  },
  async twin(graph, variables, rule) {
    const { obligation } = await graph<{
      obligation: { address: string; tagNumber: number; metricsHistory: { points: readonly GraphPoint[] } };
    }>(
      `query ($address: Address!, $range: TimeRange, $useStakeRate: Boolean) {
          obligation(address: $address) { address tagNumber
            metricsHistory(range: $range, useStakeRate: $useStakeRate, maxPoints: 1000) { points {
              timestamp sampledAt deposits ${POSITION_FIELDS} borrows ${POSITION_FIELDS} stats { ${STATS_FIELDS} }
              netValueSol collateralValueSol debtValueSol solPriceUsd solPriceAt
            } } }
        }`,
      variables,
    );
    const { address, tagNumber, metricsHistory } = obligation;
    const priced = rule.priced(metricsHistory.points, ({ netValueSol }) => [netValueSol]);
    return { obligation: address, history: priced.map((point) => restPoint(point, tagNumber, rule)) };
  },
};
