import { z } from '@hono/zod-openapi';
import { privateCreditHistory } from '../../services/history/private-credit-history.ts';
import type { Session } from '../../services/request/session.ts';
import {
  averageLtv,
  type PrivateCreditLoan,
  privateCredit,
  weightedLtv,
} from '../../services/risk/private-credit.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import {
  PrivateCreditHistoryQuery,
  PrivateCreditMetrics,
  PrivateCreditPoint,
  STATUS_NAMES,
} from './private-credit-schemas.ts';

const common = { method: 'get', tag: 'Vaults', holds: 'positions', family: READ_ERRORS } as const;

function loanOf(
  { view }: Session,
  loan: PrivateCreditLoan,
): AnswerOf<typeof PrivateCreditMetrics>['loans'][number] {
  const reserve = loan.collateral === null ? undefined : view.get('reserve', loan.collateral);
  return {
    totalBorrowedUsd: decimal(loan.borrowedUsd),
    totalDepositedUsd: decimal(loan.depositedUsd),
    ltv: decimal(loan.ltv),
    maxLtv: decimal(loan.maxLtv),
    createdOn: loan.readAt.toISOString(),
    collateralAsset: reserve === undefined ? '' : tokenSymbol(view, reserve.value.liquidity.mintPubkey),
    liquidationStatus: STATUS_NAMES[loan.status],
  };
}

/** Loans behind the vaults of private credit. */
export const PRIVATE_CREDIT_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getPrivateCreditMetrics',
    path: '/kvaults/private-credit/metrics',
    summary: 'Loans behind the vaults of private credit',
    description:
      'All loans of the markets that vaults of private credit lend to, at current prices. The catalogue of this deployment says which vaults these are; without any there are no loans. Loans with an unknown price are left out.',
    graph:
      'query { privateCredit { activeLoans borrowedUsd depositedUsd weightedLtv averageLtv maxLtv updatedAt loans(first) { borrowedUsd depositedUsd ltv maxLtv readAt collateralReserve { token { symbol } } status } } }',
    response: PrivateCreditMetrics,
    example: () => ({}),
    async answer({ platform, session }) {
      const { totals, loans, updatedAt } = await privateCredit(platform, session);
      return {
        metrics: {
          activeLoans: String(totals.loans),
          totalBorrowedUsd: decimal(totals.borrowedUsd),
          totalDepositedUsd: decimal(totals.depositedUsd),
          weightedAvgLtv: decimal(weightedLtv(totals)),
          avgLtv: decimal(averageLtv(totals)),
          maxLtv: decimal(totals.maxLtv),
          updatedOn: updatedAt.toISOString(),
        },
        loans: loans.map((loan) => loanOf(session, loan)),
      };
    },
  }),
  operation({
    ...common,
    id: 'getPrivateCreditHistory',
    path: '/kvaults/private-credit/metrics/history',
    summary: 'Loans behind the vaults of private credit over time',
    description:
      'From the hourly scans of the markets that vaults of private credit lend to now, in ascending order of time: one point per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour. Empty before the first scan. Loans with an unknown price are left out.',
    graph: 'query { privateCreditHistory(range) { timestamp weightedLtv maxLtv statuses { status share } } }',
    query: PrivateCreditHistoryQuery,
    response: z.array(PrivateCreditPoint),
    example: () => ({}),
    async answer({ platform, session }, { query }) {
      const points = await privateCreditHistory(platform, session, checkedRange(session, query));
      return points.map(({ bucket, weightedLtv: weighted, maxLtv, statuses }) => ({
        createdOn: bucket.toISOString(),
        weightedAvgLtv: decimal(weighted),
        maxLtv: decimal(maxLtv),
        statusDistribution: statuses.map(({ status, share }) => ({
          status: STATUS_NAMES[status],
          share: decimal(share),
        })),
      }));
    },
  }),
];
