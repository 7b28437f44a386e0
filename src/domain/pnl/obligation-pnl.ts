import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import { toTokens } from '../arithmetic.ts';
import { inSol } from '../price.ts';
import { productOf, sumOf } from './denominated.ts';
import {
  type FoldedObligation,
  ObligationFold,
  type ReserveQuote,
  type ReserveQuotes,
} from './obligation-fold.ts';
import type { Value } from './wallet-series.ts';

/** Period: since the obligation was last empty (nothing when it is empty now), or all time. */
export type PnlMode = 'current_obligation' | 'obligation_all_time';

export interface ObligationPnl extends Value {
  /** Paid in minus paid out. */
  readonly invested: Value;
}

const NO_VALUE: Value = { usd: ZERO, sol: ZERO };

/**
 * Net value now, plus payments out, minus payments in, each at the prices of its moment; null where a price is unknown.
 * Deposits and repayments pay in; withdrawals and borrows pay out. A liquidation does neither: its cost shows in the net
 * value. `events` are those of this obligation, in order; `now` in unix seconds. Yields before each event.
 */
export function* obligationPnl(
  events: readonly LendingEvent[],
  quotes: ReserveQuotes,
  now: number,
  mode: PnlMode,
): Generator<void, ObligationPnl> {
  const fold = new ObligationFold(quotes);
  let invested = NO_VALUE;
  for (const event of events) {
    if (event.time > now) break;
    yield;
    invested = add(invested, flowOf(event, quotes(event.reserve, event.time)));
    fold.apply(event);
    if (fold.isEmpty && mode === 'current_obligation') invested = NO_VALUE;
  }
  const net = netValue(fold.at(now), quotes, now);
  return { ...add(net, negate(invested)), invested };
}

/** A moment at which an obligation is valued. */
export interface ObligationMark {
  /** Unix seconds. */
  readonly time: number;
  /** Events before this time count. */
  readonly before: number;
}

/** Net value and net payments at a mark; the profit is their difference. */
export interface MarkedObligation {
  readonly net: Value;
  readonly invested: Value;
}

/** `obligationPnl` since the first event, at each of the marks (ascending). Yields before each event and each mark. */
export function* markedObligation(
  events: readonly LendingEvent[],
  quotes: ReserveQuotes,
  marks: readonly ObligationMark[],
): Generator<void, MarkedObligation[]> {
  const fold = new ObligationFold(quotes);
  const marked: MarkedObligation[] = [];
  let invested = NO_VALUE;
  let next = 0;
  for (const { time, before } of marks) {
    for (let event = events[next]; event !== undefined && event.time < before; event = events[next]) {
      yield;
      invested = add(invested, flowOf(event, quotes(event.reserve, event.time)));
      fold.apply(event);
      next += 1;
    }
    yield;
    marked.push({ net: netValue(fold.at(time), quotes, time), invested });
  }
  return marked;
}

/** Deposits minus debts; null where one of them has no known value. */
export function netValue(
  { deposits, borrows }: FoldedObligation,
  quotes: ReserveQuotes,
  time: number,
): Value {
  let net = NO_VALUE;
  for (const { reserve, amount } of deposits) net = add(net, liquidityValue(amount, quotes(reserve, time)));
  for (const { reserve, amount } of borrows) {
    net = add(net, negate(liquidityValue(amount, quotes(reserve, time))));
  }
  return net;
}

/** Value of base units of a reserve's liquidity. */
export function liquidityValue(
  amount: Rational | null,
  { decimals, priceUsd, priceSol }: ReserveQuote,
): Value {
  const tokens = amount === null ? null : toTokens(amount, decimals);
  return { usd: productOf(tokens, priceUsd), sol: productOf(tokens, priceSol) };
}

/** The payment in of an event; negative for a payment out. */
function flowOf(event: LendingEvent, quote: ReserveQuote): Value {
  if (event.kind === 'liquidation') return NO_VALUE;
  const collateral = productOf(integer(event.collateral), quote.liquidityPerCollateral);
  const value = liquidityValue(event.liquidity === null ? collateral : integer(event.liquidity), quote);
  return event.kind === 'deposit' || event.kind === 'repay' ? value : negate(value);
}

/**
 * SOL per whole token: the stake rate if given (SOL per token of a liquid-staking token, 1 for SOL itself), otherwise the
 * ratio of the USD prices. Null when they are unknown.
 */
export function priceInSol(
  priceUsd: Rational | null,
  solUsd: Rational | null,
  stakeRate: Rational | null,
): Rational | null {
  return stakeRate ?? inSol(priceUsd, solUsd);
}

function add(a: Value, b: Value): Value {
  return { usd: sumOf(a.usd, b.usd), sol: sumOf(a.sol, b.sol) };
}

function negate({ usd, sol }: Value): Value {
  return { usd: usd?.neg() ?? null, sol: sol?.neg() ?? null };
}
