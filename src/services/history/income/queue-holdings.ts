import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../../domain/arithmetic.ts';
import { productOf } from '../../../domain/pnl/denominated.ts';
import type { HoldingChange } from '../../../domain/pnl/holding-income.ts';
import type { ReserveQuotes } from '../../../domain/pnl/obligation-fold.ts';
import { liquidityValue } from '../../../domain/pnl/obligation-pnl.ts';
import { readQueueEvents, type StoredQueueEvent } from '../../../store/transactions/read-queue-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { momentsOf } from '../moments.ts';
import { eventQuotes } from '../obligations/event-quotes.ts';
import { tokenInView } from '../obligations/point.ts';
import type { IncomeGap, IncomeSources, IncomeTimes, TokenHolding } from './income-holdings.ts';
import { midnightsUntil, momentsWith, reserveHolding } from './reserve-markets.ts';

/** Collateral tokens that wait in withdraw queues, one holding for each reserve: they earn interest until they are paid. */
export async function queueHoldings(
  platform: Platform,
  session: Session,
  wallet: Address,
  times: IncomeTimes,
): Promise<IncomeSources> {
  const db = platform.historyFor(session, 'Income');
  const { complete } = await ensureIngested(platform, session, wallet, 'walletQueue');
  const gaps: IncomeGap[] = complete ? [] : [{ reason: 'TRANSACTIONS_MISSING', address: wallet }];
  const events = await readQueueEvents(db, { wallet }, {}, { order: 'oldestFirst', limit: null });
  const reserves = [...new Set(events.map(({ reserve }) => reserve))];
  const [first] = events;
  if (first === undefined) return { holdings: [], unknown: [], flows: [], gaps };
  const midnights = midnightsUntil(first.time, times);
  const moments = momentsWith([...events.map(({ time }) => time), ...midnights], times);
  const { quotes } = await eventQuotes(db, session, momentsOf(reserves, moments), false);
  const holdings = reserves.flatMap((reserve): TokenHolding[] => {
    const token = tokenInView(session.view, reserve);
    const own = events.filter((event) => event.reserve === reserve);
    const changes = own.map((event) => changeOf(event, quotes));
    if (token === undefined || changes.includes(null)) {
      gaps.push({ reason: token === undefined ? 'ACCOUNT_UNREADABLE' : 'RATE_UNKNOWN', address: reserve });
      return [];
    }
    const known = changes.filter((change) => change !== null);
    const holding = reserveHolding({ reserve, token, side: 'asset', changes: known, quotes }, times.now);
    return [{ token, holding, accrualTimes: midnights }];
  });
  return { holdings, unknown: [], flows: [], gaps };
}

/** Null when the exchange rate is unknown. */
function changeOf(event: StoredQueueEvent, quotes: ReserveQuotes): HoldingChange | null {
  const { kind, reserve, time, collateral, liquidity } = event;
  const quote = quotes(reserve, time);
  const amount =
    liquidity === null ? productOf(integer(collateral), quote.liquidityPerCollateral) : integer(liquidity);
  if (amount === null) return null;
  return {
    time,
    units: integer(kind === 'enqueue' ? collateral : -collateral),
    value: { ...liquidityValue(amount, quote), token: toTokens(amount, quote.decimals) },
  };
}
