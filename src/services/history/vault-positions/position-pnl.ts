import type { VaultEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import { type Denominated, NOTHING } from '../../../domain/pnl/denominated.ts';
import {
  type Marks,
  type PnlRow,
  pnlHistory,
  publishedRow,
  type VaultMarket,
} from '../../../domain/pnl/vault-pnl.ts';
import type { WorkBudget } from '../../../node/work-budget.ts';
import { DAY } from '../../../store/history/time-buckets.ts';
import type { Platform } from '../../platform/platform.ts';
import { perSession } from '../../request/per-session.ts';
import type { VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import { pastMarkets } from './vault-markets.ts';
import { walletEvents } from './wallet-events.ts';

const WHAT = 'The profit and loss of a position';

/** Cost, gains and value of a position. */
export interface PositionPnl {
  /** Ascending: every buy and sell, with mark-to-market rows in between and at the end. Empty without a buy or sell. */
  readonly rows: readonly PnlRow[];
  /** From the last row, like the next two; zero without rows. */
  readonly pnl: Denominated;
  readonly costBasis: Denominated;
  readonly realizedPnl: Denominated;
  /** Whether every transaction of the wallet was read, and every share sold was acquired in one of them. */
  readonly complete: boolean;
  /** Whether every buy and sell has a price; USD and SOL are null from the first one without. */
  readonly priced: boolean;
}

interface PnlQuery {
  readonly wallet: Address;
  readonly vault: VaultRecord;
  /** Unix seconds of the last mark. */
  readonly until: number;
  readonly marks: Marks;
}

type PnlLoader = DataLoader<PnlQuery, PositionPnl | null, string>;

const loaderOf = perSession(
  (session, platform: Platform): PnlLoader =>
    new DataLoader((asks) => foldAll(platform, session, asks), {
      cacheKeyFn: ({ wallet, vault, until, marks }) => `${wallet}:${vault.address}:${until}:${marks}`,
    }),
);

/**
 * Profit and loss of a wallet's shares in a vault up to now. Null without any known share price. A list of positions
 * takes a fixed number of statements plus one per wallet.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function positionPnl(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
): Promise<PositionPnl | null> {
  const until = Number(session.view.moment.timestamp);
  platform.historyFor(session, WHAT);
  return await loaderOf(session, platform).load({ wallet, vault, until, marks: 'last' });
}

/**
 * Profit and loss over time: rows from the start of the range; the last one marks its end, or now. Includes the effect
 * of earlier transactions.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function positionPnlHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
  asked: RangeInput,
): Promise<PositionPnl | null> {
  const { start, end } = resolveRange(session.view, asked);
  // The end is exclusive: use the last whole second before it.
  const until = Math.ceil(end.getTime() / 1_000) - 1;
  platform.historyFor(session, WHAT);
  const pnl = await loaderOf(session, platform).load({ wallet, vault, until, marks: 'daily' });
  return pnl && { ...pnl, rows: pnl.rows.filter(({ time }) => time * 1_000 >= start.getTime()) };
}

async function foldAll(
  platform: Platform,
  session: Session,
  asks: readonly PnlQuery[],
): Promise<(PositionPnl | null)[]> {
  const known = await Promise.all(asks.map(({ wallet }) => walletEvents(platform, session, wallet)));
  const events = asks.map(
    ({ vault, until }, i) => known[i]?.byVault.get(vault.address)?.filter(({ time }) => time <= until) ?? [],
  );
  const times = asks.map((ask, i) => timesOf(events[i] ?? [], ask));
  const markets = await pastMarkets(
    platform.historyFor(session, WHAT),
    session,
    asks.flatMap(({ vault, until }, i) => {
      const [first] = events[i] ?? [];
      return first === undefined ? [] : { vault, from: first.time, until, times: times[i] ?? [] };
    }),
  );
  const pnls: (PositionPnl | null)[] = [];
  let next = 0;
  for (const [i, ask] of asks.entries()) {
    const complete = known[i]?.complete ?? false;
    const mine = events[i] ?? [];
    const market = mine.length === 0 ? null : (markets[next++]?.market ?? null);
    if (mine.length === 0) pnls.push({ ...NO_TRADES, complete });
    else pnls.push(market && (await foldOne(session.work, mine, market, ask, complete)));
  }
  return pnls;
}

async function foldOne(
  meter: WorkBudget,
  events: readonly VaultEvent[],
  market: VaultMarket,
  { until, marks }: PnlQuery,
  complete: boolean,
): Promise<PositionPnl> {
  const history = await meter.run(pnlHistory(events, market, until, marks));
  const rows: PnlRow[] = [];
  for (const row of history.rows) {
    const pause = meter.step();
    if (pause !== null) await pause;
    rows.push(publishedRow(row));
  }
  const last = rows.at(-1);
  return {
    rows,
    pnl: last?.pnl ?? NOTHING,
    costBasis: last?.costBasis ?? NOTHING,
    realizedPnl: last?.realizedPnl ?? NOTHING,
    complete: complete && history.complete,
    priced: history.priced,
  };
}

const NO_TRADES = { rows: [], pnl: NOTHING, costBasis: NOTHING, realizedPnl: NOTHING, priced: true } as const;

/** Every time at which the fold needs a price. */
function timesOf(events: readonly VaultEvent[], { until, marks }: PnlQuery): number[] {
  const times = [...events.map(({ time }) => time), until];
  const [first = until] = times;
  if (marks === 'last') return times;
  for (let midnight = Math.ceil(first / DAY) * DAY; midnight <= until; midnight += DAY) times.push(midnight);
  return times;
}

export const rowInstant = ({ time }: PnlRow): Date => new Date(time * 1_000);
