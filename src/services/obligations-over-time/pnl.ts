import { obligationPnl as foldPnl, type PnlMode } from '../../domain/pnl/obligation-pnl.ts';
import { type Rational, ZERO } from '../../numeric/rational.ts';
import { netValueSol, valueObligation } from '../obligations.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import type { Value } from '../wallets.ts';
import { eventQuotes } from './event-quotes.ts';
import type { ObligationLife } from './life.ts';
import { addsUp } from './past-state.ts';

export type { PnlMode } from '../../domain/pnl/obligation-pnl.ts';

/** What an obligation has brought; null where the price of a moment is unknown. */
export interface ObligationPnl extends Value {
  /** Put in minus taken out, at the prices of each moment. */
  readonly invested: Value;
  /** Whether every transaction of it is known. */
  readonly complete: boolean;
}

/**
 * Net value now, as the View has it, less what was put in and not taken out. A liquidation is neither: what it cost
 * shows in the net value.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function obligationPnl(
  platform: Platform,
  session: Session,
  life: ObligationLife,
  mode: PnlMode,
  useStakeRate: boolean,
): Promise<ObligationPnl> {
  const { view } = session;
  const db = platform.history.database('The profit of an obligation');
  const { quotes, rates } = await eventQuotes(db, view, life.events, useStakeRate);
  const until = Math.max(Number(view.moment.timestamp), life.events.at(-1)?.time ?? 0);
  const { invested } = foldPnl(life.events, quotes, until, mode);
  const net = netNow(session, life, useStakeRate);
  return {
    usd: difference(net.usd, invested.usd),
    sol: difference(net.sol, invested.sol),
    invested,
    complete: life.complete && addsUp(life.events, rates),
  };
}

function netNow(session: Session, { record }: ObligationLife, useStakeRate: boolean): Value {
  if (record === null) return { usd: ZERO, sol: ZERO };
  const valued = valueObligation(session, record);
  return { usd: valued.stats?.netAccountValue ?? null, sol: netValueSol(valued, useStakeRate) };
}

function difference(a: Rational | null, b: Rational | null): Rational | null {
  return a === null || b === null ? null : a.sub(b);
}
