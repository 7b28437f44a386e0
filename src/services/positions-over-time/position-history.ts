import type { Address } from '@solana/kit';
import { type PositionPoint, positionSeries } from '../../domain/pnl/position-series.ts';
import { type Value, type WalletPoint, walletSeries } from '../../domain/pnl/wallet-series.ts';
import type { StoredVaultEvent } from '../../store/transactions/read-vault-events.ts';
import { type AskedRange, resolveRange } from '../history/range.ts';
import { type History, historyFrom, type Wish } from '../history/series.ts';
import type { Platform } from '../platform.ts';
import type { Session, VaultRecord } from '../records.ts';
import { bucketGrid, type Grid } from './bucket-grid.ts';
import { liveSample, sampleOf } from './position-samples.ts';
import { pastMarket, secondsOf } from './vault-markets.ts';
import { walletEvents } from './wallet-events.ts';

const WHAT = 'The past of a position';

/** A bucket of a series that is folded: what is told is as of its last sample, of the running one as of now. */
export interface FoldedPoint<P> {
  /** Start of the bucket. */
  readonly bucket: Date;
  readonly told: P;
}

/** Of a position or of all: null where a price was unknown. */
interface Valued {
  readonly time: number;
  readonly value: Value;
  readonly interest: Value;
}

/** What a wallet did in a vault of the View. */
interface Held {
  readonly vault: VaultRecord;
  readonly events: readonly StoredVaultEvent[];
}

/**
 * One wallet's position in one vault over time, from its first event on. Empty for a wallet that never had one.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function positionHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
  asked: AskedRange,
  wish: Wish,
): Promise<History<FoldedPoint<PositionPoint>>> {
  platform.history.database(WHAT);
  const { byVault, complete } = await walletEvents(platform, session, wallet);
  const events = byVault.get(vault.address) ?? [];
  const held = events.length === 0 ? [] : [{ vault, events }];
  return await folded(platform, session, held, complete, asked, wish, ([series = []]) => series);
}

/**
 * All vault positions of a wallet over time, from its first event on. Vaults that are not in the View are left out, and
 * the history is then not complete.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function walletHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  asked: AskedRange,
  wish: Wish,
): Promise<History<FoldedPoint<WalletPoint>>> {
  platform.history.database(WHAT);
  const { byVault, complete } = await walletEvents(platform, session, wallet);
  const held = [...byVault].flatMap(([address, events]) => {
    const vault = session.view.get('vault', address);
    return vault === undefined ? [] : [{ vault, events }];
  });
  const whole = complete && held.length === byVault.size;
  return await folded(platform, session, held, whole, asked, wish, walletSeries);
}

async function folded<P extends Valued>(
  platform: Platform,
  session: Session,
  held: readonly Held[],
  complete: boolean,
  asked: AskedRange,
  wish: Wish,
  join: (positions: readonly (readonly PositionPoint[])[]) => readonly P[],
): Promise<History<FoldedPoint<P>>> {
  const range = resolveRange(session.view, asked);
  const first = Math.min(...held.flatMap(({ events }) => events[0]?.time ?? []));
  if (held.length === 0) {
    return { points: [], interval: wish.interval ?? 'HOUR', recordedSince: null, complete };
  }
  const vaults = held.map(({ vault }) => vault.address);
  const grid = await bucketGrid(platform, session, { vaults, range, first, wish });
  const times = grid.points.map(({ sampledAt }) => secondsOf(sampledAt));
  const positions = await seriesOf(platform, session, held, grid, times);
  const told = join(positions);
  const ofTime = new Map(told.map((point) => [point.time, point]));
  const { interval, recordedSince, ...history } = historyFrom(grid, grid.range, wish, (point) => ({
    bucket: point.bucket,
    told: ofTime.get(secondsOf(point.sampledAt)),
  }));
  const points = history.points.flatMap(({ bucket, told: point }) =>
    point ? [{ bucket, told: point }] : [],
  );
  const whole = history.complete && positions.length === held.length && points.every(isValued);
  return { points, interval, recordedSince, complete: complete && whole };
}

const isValued = ({ told: { value, interest } }: FoldedPoint<Valued>): boolean =>
  [value.usd, value.sol, interest.usd, interest.sol].every((each) => each !== null);

/**
 * A series per position; none for one of whose shares nothing is known. Interest is reckoned at the end of each day
 * whatever is asked for, so that every interval tells the same sum.
 */
async function seriesOf(
  platform: Platform,
  session: Session,
  held: readonly Held[],
  grid: Grid,
  times: readonly number[],
): Promise<PositionPoint[][]> {
  const { view } = session;
  const until = Number(view.moment.timestamp);
  const asks = held.map(({ vault, events }, i) => ({
    vault,
    from: events[0]?.time ?? until,
    until,
    times: [...times, ...events.map(({ time }) => time)],
    atDayEnds: true,
    finer: grid.ofVault[i] ?? [],
  }));
  const db = platform.history.database(WHAT);
  const markets = await Promise.all(asks.map((ask) => pastMarket(db, session, ask)));
  return held.flatMap(({ vault, events }, i) => {
    const { market = null, dayEnds = [] } = markets[i] ?? {};
    if (market === null) return [];
    const recorded = (grid.ofVault[i] ?? []).map((point) => sampleOf(vault, point));
    const samples = [...recorded, ...liveSample(view, vault)];
    return [positionSeries(events, samples, market, times, dayEnds)];
  });
}
