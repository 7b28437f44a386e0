import { obligationPnl as foldPnl, type PnlMode } from '../../domain/pnl/obligation-pnl.ts';
import { type Rational, ZERO } from '../../numeric/rational.ts';
import { netValueSol, valueObligation } from '../obligations.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import type { Value } from '../wallets.ts';
import { eventQuotes } from './event-quotes.ts';
import type { ObligationTimeline } from './obligation-timeline.ts';
import { isConsistent } from './past-state.ts';

export type { PnlMode } from '../../domain/pnl/obligation-pnl.ts';

/** Profit and loss of an obligation; null where a price is unknown. */
export interface ObligationPnl extends Value {
  /** Paid in minus paid out, at the prices of each moment. */
  readonly invested: Value;
  /** Whether every transaction is known. */
  readonly complete: boolean;
}

/**
 * Current net value in the View minus the amount invested. A liquidation is neither paid in nor out: its cost shows in
 * the net value.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function obligationPnl(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  mode: PnlMode,
  useStakeRate: boolean,
): Promise<ObligationPnl> {
  const { view } = session;
  const db = platform.history.database('The profit and loss of an obligation');
  const { quotes, rates } = await eventQuotes(db, view, timeline.events, useStakeRate);
  const until = Math.max(Number(view.moment.timestamp), timeline.events.at(-1)?.time ?? 0);
  const { invested } = foldPnl(timeline.events, quotes, until, mode);
  const net = netNow(session, timeline, useStakeRate);
  return {
    usd: difference(net.usd, invested.usd),
    sol: difference(net.sol, invested.sol),
    invested,
    complete: timeline.complete && isConsistent(timeline.events, rates),
  };
}

function netNow(session: Session, { record }: ObligationTimeline, useStakeRate: boolean): Value {
  if (record === null) return { usd: ZERO, sol: ZERO };
  const valued = valueObligation(session, record);
  return { usd: valued.stats?.netAccountValue ?? null, sol: netValueSol(valued, useStakeRate) };
}

function difference(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : a.sub(b);
}
