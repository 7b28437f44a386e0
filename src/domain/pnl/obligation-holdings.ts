import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { toTokens } from '../arithmetic.ts';
import { productOf } from './denominated.ts';
import type { HoldingChange } from './holding-income.ts';
import { ObligationFold, type ReserveQuotes } from './obligation-fold.ts';
import { liquidityValue } from './obligation-pnl.ts';
import type { Value } from './wallet-series.ts';

/** The deposit or the debt of an obligation in one reserve, in units that interest does not change. */
export interface ObligationHolding {
  readonly reserve: Address;
  readonly side: 'asset' | 'debt';
  /** Null when a rate that a change needs is unknown. */
  readonly changes: readonly HoldingChange[] | null;
}

/** Tokens that a liquidator took (negative) or a debt that it repaid (positive); or a fee, positive. */
export interface ObligationFlow extends Value {
  readonly kind: 'fee' | 'liquidation';
  readonly reserve: Address;
  readonly time: number;
  /** Base units; null when unknown. */
  readonly amount: Rational | null;
}

export interface ObligationHoldings {
  readonly holdings: readonly ObligationHolding[];
  readonly flows: readonly ObligationFlow[];
  /** False once the events remove more than they added. */
  readonly complete: boolean;
}

/** Divides the events of an obligation into its deposits and debts, by the fold of its state. Yields before each event. */
export function* obligationHoldings(
  events: readonly LendingEvent[],
  quotes: ReserveQuotes,
): Generator<void, ObligationHoldings> {
  const fold = new ObligationFold(quotes);
  const lists = new Map<
    string,
    { reserve: Address; side: 'asset' | 'debt'; changes: HoldingChange[] | null }
  >();
  const flows: ObligationFlow[] = [];
  for (const event of events) {
    yield;
    const side = event.side === 'debt' ? 'debt' : 'asset';
    const before = unitsOf(fold, event);
    fold.apply(event);
    const after = unitsOf(fold, event);
    const key = `${side} ${event.reserve}`;
    const list = lists.get(key) ?? { reserve: event.reserve, side, changes: [] };
    lists.set(key, list);
    const change = changeOf(event, quotes, before, after);
    if (change === null) list.changes = null;
    else list.changes?.push(change);
    flows.push(...flowsOf(event, quotes));
  }
  return { holdings: [...lists.values()], flows, complete: fold.complete };
}

function unitsOf(fold: ObligationFold, { side, reserve }: LendingEvent): Rational | null {
  const { collateral, scaledDebt } = fold.state();
  if (side === 'collateral') return Rational.of(collateral.get(reserve) ?? 0n);
  return scaledDebt.has(reserve) ? (scaledDebt.get(reserve) ?? null) : ZERO;
}

/** The base units of the token that an event exchanged; for a borrow, the debt with its fee. */
function exchanged(event: LendingEvent, quotes: ReserveQuotes): Rational | null {
  const { liquidityPerCollateral } = quotes(event.reserve, event.time);
  if (event.liquidity === null) return productOf(integer(event.collateral), liquidityPerCollateral);
  return integer(event.kind === 'borrow' ? event.liquidity + event.fee : event.liquidity);
}

function changeOf(
  event: LendingEvent,
  quotes: ReserveQuotes,
  before: Rational | null,
  after: Rational | null,
): HoldingChange | null {
  const quote = quotes(event.reserve, event.time);
  const amount = exchanged(event, quotes);
  if (before === null || after === null || amount === null) return null;
  const value = liquidityValue(amount, quote);
  return {
    time: event.time,
    units: after.sub(before).reduced(),
    value: { ...value, token: toTokens(amount, quote.decimals) },
  };
}

function flowsOf(event: LendingEvent, quotes: ReserveQuotes): ObligationFlow[] {
  const { kind, side, reserve, time, fee } = event;
  const flow = (of: ObligationFlow['kind'], amount: Rational | null): ObligationFlow => ({
    kind: of,
    reserve,
    time,
    amount,
    ...liquidityValue(amount, quotes(reserve, time)),
  });
  if (kind === 'borrow') return fee > 0n ? [flow('fee', integer(fee))] : [];
  if (kind !== 'liquidation') return [];
  const amount = exchanged(event, quotes);
  return [flow('liquidation', side === 'debt' ? amount : (amount?.neg() ?? null))];
}
