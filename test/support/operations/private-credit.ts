import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const STATUS: Shape = { oneOf: ['healthy', 'at_risk', 'liquidatable'] };
const METRICS = '/kvaults/private-credit/metrics';
const HISTORY = `${METRICS}/history`;

interface GraphLoan {
  readonly borrowedUsd: string;
  readonly depositedUsd: string;
  readonly ltv: Text;
  readonly maxLtv: Text;
  readonly readAt: string;
  readonly status: string;
  readonly collateralReserve: { readonly token: { readonly symbol: string } } | null;
}

interface GraphCredit {
  readonly privateCredit: {
    readonly activeLoans: number;
    readonly borrowedUsd: string;
    readonly depositedUsd: string;
    readonly weightedLtv: string;
    readonly averageLtv: string;
    readonly maxLtv: string;
    readonly updatedAt: string;
    readonly loans: readonly GraphLoan[];
  };
}

interface GraphPoints {
  readonly privateCreditHistory: readonly {
    readonly timestamp: string;
    readonly weightedLtv: string;
    readonly maxLtv: string;
    readonly statuses: readonly { readonly status: string; readonly share: string }[];
  }[];
}

export const PRIVATE_CREDIT_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: METRICS,
    answer: {
      fields: {
        metrics: {
          fields: {
            activeLoans: 'integerString',
            totalBorrowedUsd: 'decimal',
            totalDepositedUsd: 'decimal',
            weightedAvgLtv: 'decimal',
            avgLtv: 'decimal',
            maxLtv: 'decimal',
            updatedOn: 'date',
          },
        },
        loans: {
          list: {
            fields: {
              totalBorrowedUsd: 'decimal',
              totalDepositedUsd: 'decimal',
              ltv: 'decimal',
              maxLtv: 'decimal',
              createdOn: 'date',
              collateralAsset: 'label',
              liquidationStatus: STATUS,
            },
          },
        },
      },
    },
    requests: () => [{ url: METRICS, variables: {} }],
    refusals: () => [],
    async twin(graph, _variables, rule) {
      const { privateCredit: credit } = await graph<GraphCredit>(`{ privateCredit {
        activeLoans borrowedUsd depositedUsd weightedLtv averageLtv maxLtv updatedAt
        loans(first: 1000) { borrowedUsd depositedUsd ltv maxLtv readAt status
          collateralReserve { token { symbol } } }
      } }`);
      return {
        metrics: {
          activeLoans: String(credit.activeLoans),
          totalBorrowedUsd: credit.borrowedUsd,
          totalDepositedUsd: credit.depositedUsd,
          weightedAvgLtv: credit.weightedLtv,
          avgLtv: credit.averageLtv,
          maxLtv: credit.maxLtv,
          updatedOn: credit.updatedAt,
        },
        loans: credit.loans.map((loan) => ({
          totalBorrowedUsd: loan.borrowedUsd,
          totalDepositedUsd: loan.depositedUsd,
          ltv: rule.decimal(loan.ltv),
          maxLtv: rule.decimal(loan.maxLtv),
          createdOn: loan.readAt,
          collateralAsset: loan.collateralReserve?.token.symbol ?? '',
          liquidationStatus: loan.status.toLowerCase(),
        })),
      };
    },
  },
  {
    method: 'get',
    path: HISTORY,
    answer: {
      list: {
        fields: {
          createdOn: 'date',
          weightedAvgLtv: 'decimal',
          maxLtv: 'decimal',
          statusDistribution: { list: { fields: { status: STATUS, share: 'decimal' } }, length: 3 },
        },
      },
    },
    requests: () => [
      { url: HISTORY, variables: {} },
      {
        url: `${HISTORY}?start=2020-01-01&end=2020-02-01`,
        variables: { range: { start: '2020-01-01', end: '2020-02-01' } },
      },
    ],
    refusals: () => [
      badRequest('no date', `${HISTORY}?start=yesterday`, 'start'),
      badRequest('reversed', `${HISTORY}?start=2026-02-01&end=2026-01-01`, 'start'),
    ],
    async twin(graph, variables) {
      const { privateCreditHistory } = await graph<GraphPoints>(
        `query ($range: TimeRange) { privateCreditHistory(range: $range) {
          timestamp weightedLtv maxLtv statuses { status share } } }`,
        variables,
      );
      return privateCreditHistory.map(({ timestamp, weightedLtv, maxLtv, statuses }) => ({
        createdOn: timestamp,
        weightedAvgLtv: weightedLtv,
        maxLtv,
        statusDistribution: statuses.map(({ status, share }) => ({ status: status.toLowerCase(), share })),
      }));
    },
  },
];
