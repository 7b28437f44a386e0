import { integer, ONE, Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import {
  obligationBorrows,
  type ValuedObligation,
  valueObligation,
} from '../services/obligations/obligations.ts';
import type { ObligationRecord } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
import { obligationTarget } from '../services/risk/health-target.ts';
import type { Condition } from './condition.ts';
import { obligationFigure } from './metrics.ts';

/** A GraphQL request that builds a transaction, for the wallet to sign. */
export interface SuggestedRepayment {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const REPAY = `mutation Cure($input: LendingActionInput!) {
  buildLendingRepay(input: $input) {
    __typename
    ... on TransactionPlan { transactions { base64 lastValidBlockHeight } warnings { code message } }
    ... on BuildError { code message }
  }
}`;

/** Distance beyond the threshold to aim for: interest and prices move on until the transaction lands. */
const MARGIN = Rational.of(101n, 100n);
const MOST_HEALTH = integer(1_000_000n);

/** The repayment of the largest debt that would clear the condition. Null when no repayment does, or none can be computed. */
export async function suggestedRepayment(
  session: Session,
  condition: Condition,
  record: ObligationRecord,
): Promise<SuggestedRepayment | null> {
  const valued = valueObligation(session, record);
  const health = healthToReach(condition, valued)?.mul(MARGIN);
  const reserve = largestDebt(valued);
  if (health === undefined || reserve === null || health.compare(MOST_HEALTH) > 0) return null;
  const { amount, limit } = await obligationTarget(session, record, health, 'repay', reserve);
  if (amount === null && limit !== 'POSITION') return null;
  const { owner, lendingMarket } = record.value;
  const input = {
    wallet: owner,
    market: lendingMarket,
    reserve,
    obligation: { address: record.address },
    amount: amount === null ? { all: 'ALL' } : { baseUnits: String(amount.wholeUnits) },
  };
  return { query: REPAY, variables: { input } };
}

/** The health factor at which the figure is at its second threshold; null when reducing the debt cannot reach it. */
function healthToReach(
  { metric, direction, clearAt }: Condition,
  { stats }: ValuedObligation,
): Rational | null {
  const figure = obligationFigure(metric);
  if (figure === 'LTV') {
    if (direction === 'BELOW' || stats === null || clearAt.n <= 0n) return null;
    const debt = stats.userTotalCollateralDeposit.mul(clearAt);
    return debt.isZero ? null : positive(stats.borrowLiquidationLimit.div(debt));
  }
  if (direction === 'ABOVE') return null;
  if (figure === 'HEALTH') return positive(clearAt);
  return clearAt.compare(ONE) < 0 ? positive(ONE.div(ONE.sub(clearAt))) : null;
}

const positive = (value: Rational) => (value.n > 0n ? value : null);

function largestDebt(valued: ValuedObligation): Address | null {
  let largest: { readonly reserve: Address; readonly usd: Rational } | null = null;
  for (const { position } of obligationBorrows(valued)) {
    const { reserve, valueUsd: usd } = position;
    if (usd !== null && (largest === null || usd.compare(largest.usd) > 0)) largest = { reserve, usd };
  }
  return largest?.reserve ?? null;
}
