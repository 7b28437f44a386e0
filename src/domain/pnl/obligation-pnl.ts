import { integer, type Rational, ZERO } from '../../numeric/rational.ts';
import { toTokens } from '../arithmetic.ts';
import { inSol } from '../price.ts';
import type { LendingEvent } from '../transactions/events.ts';
import { productOf, sumOf } from './denominated.ts';
import {
  type FoldedObligation,
  ObligationFold,
  type ReserveQuote,
  type ReserveQuotes,
} from './obligation-fold.ts';
import type { Value } from './wallet-series.ts';

/** From when on: since the obligation was last empty (nothing, when it is empty now), or ever. */
export type PnlMode = 'current_obligation' | 'obligation_all_time';

export interface ObligationPnl extends Value {
  /** Put in minus taken out. */
  readonly invested: Value;
}

const NO_VALUE: Value = { usd: ZERO, sol: ZERO };

/**
 * Net value now, plus what was taken out, minus what was put in, each at the prices of its moment; null where one of them
 * is unknown. Deposits and repayments put in; withdrawals and borrowed money take out. A liquidation does neither: what it
 * cost shows in the net value. Events are the obligation's alone, in order; `now` in unix seconds.
 */
export function obligationPnl(
  events: readonly LendingEvent[],
  quotes: ReserveQuotes,
  now: number,
  mode: PnlMode,
): ObligationPnl {
  const fold = new ObligationFold(quotes);
  let invested = NO_VALUE;
  for (const event of events) {
    if (event.time > now) break;
    invested = added(invested, flowOf(event, quotes(event.reserve, event.time)));
    fold.apply(event);
    if (fold.isEmpty && mode === 'current_obligation') invested = NO_VALUE;
  }
  const net = netValue(fold.at(now), quotes, now);
  return { ...added(net, negated(invested)), invested };
}

/** Deposits less debts; null where one of them cannot be valued. */
export function netValue(
  { deposits, borrows }: FoldedObligation,
  quotes: ReserveQuotes,
  time: number,
): Value {
  let net = NO_VALUE;
  for (const { reserve, amount } of deposits) net = added(net, worth(amount, quotes(reserve, time)));
  for (const { reserve, amount } of borrows) net = added(net, negated(worth(amount, quotes(reserve, time))));
  return net;
}

/** Base units of a reserve's liquidity in dollars and SOL. */
export function worth(amount: Rational | null, { decimals, priceUsd, priceSol }: ReserveQuote): Value {
  const tokens = amount === null ? null : toTokens(amount, decimals);
  return { usd: productOf(tokens, priceUsd), sol: productOf(tokens, priceSol) };
}

/** What an event put in (or took out, when negative). */
function flowOf(event: LendingEvent, quote: ReserveQuote): Value {
  if (event.kind === 'liquidation') return NO_VALUE;
  const collateral = productOf(integer(event.collateral), quote.liquidityPerCollateral);
  const value = worth(event.liquidity === null ? collateral : integer(event.liquidity), quote);
  return event.kind === 'deposit' || event.kind === 'repay' ? value : negated(value);
}

/**
 * SOL per whole token. With a stake rate (SOL per token of a liquid-staking token, 1 for SOL itself) that is its worth;
 * otherwise the dollar prices tell. Null when they are unknown.
 */
export function priceInSol(
  priceUsd: Rational | null,
  solUsd: Rational | null,
  stakeRate: Rational | null,
): Rational | null {
  return stakeRate ?? inSol(priceUsd, solUsd);
}

function added(a: Value, b: Value): Value {
  return { usd: sumOf(a.usd, b.usd), sol: sumOf(a.sol, b.sol) };
}

function negated({ usd, sol }: Value): Value {
  return { usd: usd?.neg() ?? null, sol: sol?.neg() ?? null };
}
