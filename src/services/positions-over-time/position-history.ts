import type { Address } from '@solana/kit';
import { type PositionPoint, positionSeries } from '../../domain/pnl/position-series.ts';
import { type Value, type WalletPoint, walletSeries } from '../../domain/pnl/wallet-series.ts';
import type { StoredVaultEvent } from '../../store/transactions/read-vault-events.ts';
import { type RangeInput, resolveRange } from '../history/range.ts';
import { type History, historyFrom, type Resolution } from '../history/series.ts';
import type { Platform } from '../platform.ts';
import type { Session, VaultRecord } from '../records.ts';
import { bucketGrid, type Grid } from './bucket-grid.ts';
import { liveSample, sampleOf } from './position-samples.ts';
import { pastMarket, secondsOf } from './vault-markets.ts';
import { walletEvents } from './wallet-events.ts';

const WHAT = 'Position history';

/** A bucket of a folded series, as of its last sample; the current bucket is as of now. */
export interface FoldedPoint<P> {
  /** Start of the bucket. */
  readonly bucket: Date;
  readonly state: P;
}

/** A position or the sum of all; null where a price was unknown. */
interface Valued {
  readonly time: number;
  readonly value: Value;
  readonly interest: Value;
}

/** A wallet's events in a vault of the View. */
interface VaultEvents {
  readonly vault: VaultRecord;
  readonly events: readonly StoredVaultEvent[];
}

/**
 * One wallet's position in one vault over time, from its first event on. Empty if the wallet never had one.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function positionHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
  asked: RangeInput,
  resolution: Resolution,
): Promise<History<FoldedPoint<PositionPoint>>> {
  platform.history.database(WHAT);
  const { byVault, complete } = await walletEvents(platform, session, wallet);
  const events = byVault.get(vault.address) ?? [];
  const held = events.length === 0 ? [] : [{ vault, events }];
  return await folded(platform, session, held, complete, asked, resolution, ([series = []]) => series);
}

/**
 * The sum of a wallet's vault positions over time, from its first event on. Omits vaults that are not in the View; the
 * history is then incomplete.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function walletHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  asked: RangeInput,
  resolution: Resolution,
): Promise<History<FoldedPoint<WalletPoint>>> {
  platform.history.database(WHAT);
  const { byVault, complete } = await walletEvents(platform, session, wallet);
  const held = [...byVault].flatMap(([address, events]) => {
    const vault = session.view.get('vault', address);
    return vault === undefined ? [] : [{ vault, events }];
  });
  const whole = complete && held.length === byVault.size;
  return await folded(platform, session, held, whole, asked, resolution, walletSeries);
}

async function folded<P extends Valued>(
  platform: Platform,
  session: Session,
  held: readonly VaultEvents[],
  complete: boolean,
  asked: RangeInput,
  resolution: Resolution,
  join: (positions: readonly (readonly PositionPoint[])[]) => readonly P[],
): Promise<History<FoldedPoint<P>>> {
  const range = resolveRange(session.view, asked);
  const first = Math.min(...held.flatMap(({ events }) => events[0]?.time ?? []));
  if (held.length === 0) {
    const interval = resolution.interval ?? 'HOUR';
    return { points: [], interval, recordedSince: null, complete, truncated: false };
  }
  const vaults = held.map(({ vault }) => vault.address);
  const grid = await bucketGrid(platform, session, { vaults, range, first, resolution });
  const times = grid.points.map(({ sampledAt }) => secondsOf(sampledAt));
  const positions = await seriesOf(platform, session, held, grid, times);
  const states = new Map(join(positions).map((point) => [point.time, point]));
  const { interval, recordedSince, truncated, ...history } = historyFrom(
    grid,
    grid.range,
    resolution,
    (point) => ({
      bucket: point.bucket,
      state: states.get(secondsOf(point.sampledAt)),
    }),
  );
  const points = history.points.flatMap(({ bucket, state }) => (state ? [{ bucket, state }] : []));
  const whole = history.complete && positions.length === held.length && points.every(isValued);
  return { points, interval, recordedSince, complete: complete && whole, truncated };
}

const isValued = ({ state: { value, interest } }: FoldedPoint<Valued>): boolean =>
  [value.usd, value.sol, interest.usd, interest.sol].every((each) => each !== null);

/**
 * A series per position; omits positions without any known share price. Interest is accrued at the end of each day, so
 * every interval gives the same sum.
 */
async function seriesOf(
  platform: Platform,
  session: Session,
  held: readonly VaultEvents[],
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
