import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { type Denominated, NOTHING } from '../../domain/pnl/denominated.ts';
import { type Marks, type PnlRow, pnlHistory } from '../../domain/pnl/vault-pnl.ts';
import type { VaultEvent } from '../../domain/transactions/events.ts';
import { DAY } from '../../store/history/steps.ts';
import { type AskedRange, resolveRange } from '../history/range.ts';
import type { Platform } from '../platform.ts';
import type { Session, VaultRecord } from '../records.ts';
import { pastMarkets } from './vault-markets.ts';
import { walletEvents } from './wallet-events.ts';

const WHAT = 'The profit of a position';

/** What a position cost, brought and is worth. */
export interface PositionPnl {
  /** Ascending: every buy and sell, with marks in between and at the end. Empty without a buy or sell. */
  readonly rows: readonly PnlRow[];
  /** Of the last row, as are the next two; zero without one. */
  readonly pnl: Denominated;
  readonly costBasis: Denominated;
  readonly realizedPnl: Denominated;
  /** Whether every transaction of the wallet was read, and every share that was sold was seen to arrive. */
  readonly complete: boolean;
  /** Whether prices are known of every buy and sell; dollars and SOL are null from the first on that has none. */
  readonly priced: boolean;
}

interface PnlAsk {
  readonly wallet: Address;
  readonly vault: VaultRecord;
  /** Unix seconds of the last mark. */
  readonly until: number;
  readonly marks: Marks;
}

type PnlLoader = DataLoader<PnlAsk, PositionPnl | null, string>;

const ofSession = new WeakMap<Session, PnlLoader>();

/**
 * What a wallet's shares of a vault have brought so far. Null when nothing is known of what they were worth. Positions
 * of a list are a fixed number of statements, and one per wallet.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function positionPnl(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
): Promise<PositionPnl | null> {
  const until = Number(session.view.moment.timestamp);
  return loaderOf(platform, session).load({ wallet, vault, until, marks: 'last' });
}

/**
 * The same over time: rows from the start of the range on; the last one marks its end, or now. What came before the
 * range counts.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function positionPnlHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
  asked: AskedRange,
): Promise<PositionPnl | null> {
  const { start, end } = resolveRange(session.view, asked);
  // The end is not part of the range: the last whole second before it is.
  const until = Math.ceil(end.getTime() / 1_000) - 1;
  const pnl = await loaderOf(platform, session).load({ wallet, vault, until, marks: 'daily' });
  return pnl && { ...pnl, rows: pnl.rows.filter(({ time }) => time * 1_000 >= start.getTime()) };
}

function loaderOf(platform: Platform, session: Session): PnlLoader {
  platform.history.database(WHAT);
  const known = ofSession.get(session);
  if (known !== undefined) return known;
  const loader: PnlLoader = new DataLoader((asks) => foldAll(platform, session, asks), {
    cacheKeyFn: ({ wallet, vault, until, marks }) => `${wallet}:${vault.address}:${until}:${marks}`,
  });
  ofSession.set(session, loader);
  return loader;
}

async function foldAll(
  platform: Platform,
  session: Session,
  asks: readonly PnlAsk[],
): Promise<(PositionPnl | null)[]> {
  const known = await Promise.all(asks.map(({ wallet }) => walletEvents(platform, session, wallet)));
  const events = asks.map(
    ({ vault, until }, i) => known[i]?.byVault.get(vault.address)?.filter(({ time }) => time <= until) ?? [],
  );
  const times = asks.map((ask, i) => timesOf(events[i] ?? [], ask));
  const markets = await pastMarkets(
    platform.history.database(WHAT),
    session.view,
    asks.flatMap(({ vault, until }, i) => {
      const [first] = events[i] ?? [];
      return first === undefined ? [] : { vault, from: first.time, until, times: times[i] ?? [] };
    }),
  );
  let next = 0;
  return asks.map((ask, i) => {
    const complete = known[i]?.complete ?? false;
    const mine = events[i] ?? [];
    if (mine.length === 0) return { ...NEVER, complete };
    const { market = null } = markets[next++] ?? {};
    if (market === null) return null;
    const told = pnlHistory(mine, market, ask.until, ask.marks);
    return {
      rows: told.rows,
      pnl: told.totalPnl,
      costBasis: told.totalCostBasis,
      realizedPnl: told.rows.at(-1)?.realizedPnl ?? NOTHING,
      complete: complete && told.complete,
      priced: told.priced,
    };
  });
}

const NEVER = { rows: [], pnl: NOTHING, costBasis: NOTHING, realizedPnl: NOTHING, priced: true } as const;

/** Every moment at which the fold asks for a price. */
function timesOf(events: readonly VaultEvent[], { until, marks }: PnlAsk): number[] {
  const times = [...events.map(({ time }) => time), until];
  const [first = until] = times;
  if (marks === 'last') return times;
  for (let midnight = Math.ceil(first / DAY) * DAY; midnight <= until; midnight += DAY) times.push(midnight);
  return times;
}

/** Rows of the past are told by the millisecond. */
export const rowInstant = ({ time }: PnlRow): Date => new Date(time * 1_000);
