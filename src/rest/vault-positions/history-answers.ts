import type { Denominated } from '../../domain/pnl/denominated.ts';
import type { PositionPoint } from '../../domain/pnl/position-series.ts';
import type { PnlRow } from '../../domain/pnl/vault-pnl.ts';
import type { Value, WalletPoint } from '../../domain/pnl/wallet-series.ts';
import type { FoldedPoint } from '../../services/history/vault-positions/position-history.ts';
import { type PositionPnl as Pnl, rowInstant } from '../../services/history/vault-positions/position-pnl.ts';
import type { VaultTransaction } from '../../services/history/vault-positions/vault-transactions.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type {
  PositionHistoryPoint,
  PositionPnl,
  PositionPnlHistory,
  UserHistoryPoint,
  UserVaultTransaction,
} from './history-schemas.ts';

type Prices = { readonly [K in keyof Denominated]: Denominated['usd'] };

const denominated = (value: Prices | null | undefined) => ({
  usd: decimal(value?.usd),
  sol: decimal(value?.sol),
  token: decimal(value?.token),
});

export function userTransaction(
  { event, kind, vault, tokens, shares, sharePrice, tokenPrice, solPrice }: VaultTransaction,
  latestPosition: boolean,
): AnswerOf<typeof UserVaultTransaction> {
  return {
    createdOn: new Date(event.time * 1_000).toISOString(),
    instruction: kind === 'DEPOSIT' ? 'deposit' : 'withdraw',
    tokenMint: tokens.mint,
    tokenAmount: decimal(tokens.amount),
    tokenPrice: decimal(tokenPrice),
    solPrice: decimal(solPrice),
    sharePrice: decimal(sharePrice),
    numberOfShares: decimal(shares),
    usdValue: decimal(tokens.usd),
    transaction: event.signature,
    kvault: vault.address,
    latestPosition,
  };
}

/** Without a price in USD or SOL there is no value to show, so the point is omitted. */
export const isPricedPoint = ({ state: { value } }: FoldedPoint<{ readonly value: Value }>): boolean =>
  value.usd !== null && value.sol !== null;

export function userPoint({ bucket, state }: FoldedPoint<WalletPoint>): AnswerOf<typeof UserHistoryPoint> {
  return {
    createdOn: bucket.toISOString(),
    usdAmount: decimal(state.value.usd),
    solAmount: decimal(state.value.sol),
    weightedApy: decimal(state.weightedApy),
    cumulativeInterestEarnedUsd: decimal(state.interest.usd),
    cumulativeInterestEarnedSol: decimal(state.interest.sol),
    interestEarnedPerSecondUsd: decimal(state.interestPerSecond.usd),
    interestEarnedPerSecondSol: decimal(state.interestPerSecond.sol),
  };
}

export function positionPoint({
  bucket,
  state,
}: FoldedPoint<PositionPoint>): AnswerOf<typeof PositionHistoryPoint> {
  const { value, interest, interestPerSecond } = state;
  return {
    createdOn: bucket.toISOString(),
    sharesAmount: decimal(state.shares),
    usdAmount: decimal(value.usd),
    solAmount: decimal(value.sol),
    apy: decimal(state.apy?.total),
    apyTheoretical: decimal(state.theoreticalApy),
    apyActual: decimal(state.apy?.base),
    apyFarmRewards: decimal(state.apy?.farmRewards),
    apyReservesIncentives: decimal(state.apy?.reserveRewards),
    apyIncentives: state.apy === null ? null : decimal(state.apy.incentives),
    cumulativeInterestEarned: decimal(interest.token),
    cumulativeInterestEarnedUsd: decimal(interest.usd),
    cumulativeInterestEarnedSol: decimal(interest.sol),
    interestEarnedPerSecond: decimal(interestPerSecond?.token),
    interestEarnedPerSecondUsd: decimal(interestPerSecond?.usd),
    interestEarnedPerSecondSol: decimal(interestPerSecond?.sol),
  };
}

/** `pnl` is null when no share price is known. The contract has no null here, so the totals are zero. */
export function pnlTotals(pnl: Pnl | null): AnswerOf<typeof PositionPnl> {
  return { totalPnl: denominated(pnl?.pnl), totalCostBasis: denominated(pnl?.costBasis) };
}

export function historyOfPnl(pnl: Pnl | null): AnswerOf<typeof PositionPnlHistory> {
  return { history: (pnl?.rows ?? []).filter(isShown).map(rowOf), ...pnlTotals(pnl) };
}

/** Leaves out valuations without a price, except the last one: its values are the totals. */
function isShown({ type, positionValue }: PnlRow, index: number, rows: readonly PnlRow[]): boolean {
  const isPriced = positionValue.usd !== null && positionValue.sol !== null;
  return isPriced || type !== 'mark-to-market' || index === rows.length - 1;
}

function rowOf(row: PnlRow): AnswerOf<typeof PositionPnlHistory>['history'][number] {
  return {
    timestamp: rowInstant(row).toISOString(),
    type: row.type,
    position: decimal(row.position),
    quantity: decimal(row.quantity),
    tokenPrice: denominated(row.tokenPrice),
    sharePrice: denominated(row.sharePrice),
    costBasis: denominated(row.costBasis),
    realizedPnl: denominated(row.realizedPnl),
    pnl: denominated(row.pnl),
    positionValue: denominated(row.positionValue),
    investment: denominated(row.investment),
  };
}
