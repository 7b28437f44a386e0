import { roundParts } from '@sluice/protocol/numeric/decimal';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { obligationPnl as foldPnl, type PnlMode } from '../../../domain/pnl/obligation-pnl.ts';
import { netValueSol, valueObligation } from '../../obligations/obligations.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import type { Value } from '../../wallets/wallets.ts';
import { eventMoments, eventQuotes } from './event-quotes.ts';
import { isConsistent } from './past-state.ts';
import type { ObligationTimeline } from './timeline.ts';

export type { PnlMode } from '../../../domain/pnl/obligation-pnl.ts';

/** Profit and loss of an obligation; null where a price is unknown. */
export interface ObligationPnl extends Value {
  /** Paid in minus paid out, at the prices of each moment. */
  readonly invested: Value;
  /** Whether every transaction is known. */
  readonly complete: boolean;
}

const pnls = oncePerSession<ObligationPnl>();

/**
 * Current net value in the View minus the amount invested. A liquidation is neither paid in nor out: its cost shows in
 * the net value. Computed once per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function obligationPnl(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  mode: PnlMode,
  useStakeRate: boolean,
): Promise<ObligationPnl> {
  return pnls(session, JSON.stringify([timeline.address, mode, useStakeRate]), () =>
    computePnl(platform, session, timeline, mode, useStakeRate),
  );
}

async function computePnl(
  platform: Platform,
  session: Session,
  timeline: ObligationTimeline,
  mode: PnlMode,
  useStakeRate: boolean,
): Promise<ObligationPnl> {
  const { view } = session;
  const meter = session.work;
  const db = platform.historyFor(session, 'The profit and loss of an obligation');
  const { quotes, rates } = await eventQuotes(db, session, eventMoments(timeline.events), useStakeRate);
  const until = Math.max(Number(view.moment.timestamp), timeline.events.at(-1)?.time ?? 0);
  const { invested } = await meter.run(foldPnl(timeline.events, quotes, until, mode));
  const net = netNow(session, timeline, useStakeRate);
  const [usd, sol] = [profit(net.usd, invested.usd), profit(net.sol, invested.sol)];
  return {
    usd: usd.profit,
    sol: sol.profit,
    invested: { usd: usd.invested, sol: sol.invested },
    complete: timeline.complete && (await meter.run(isConsistent(timeline.events, rates))),
  };
}

function netNow(session: Session, { record }: ObligationTimeline, useStakeRate: boolean): Value {
  if (record === null) return { usd: ZERO, sol: ZERO };
  const valued = valueObligation(session, record);
  return { usd: valued.stats?.netAccountValue ?? null, sol: netValueSol(valued, useStakeRate) };
}

/** The net value minus the amount invested; both are rounded together, so profit plus investment is the net value. */
function profit(
  net: Rational | null,
  invested: Rational | null,
): { profit: Rational | null; invested: Rational | null } {
  if (net === null || invested === null) return { profit: null, invested };
  const [roundedNet, roundedInvested] = roundParts([net, invested] as const);
  return { profit: roundedNet.sub(roundedInvested), invested: roundedInvested };
}
