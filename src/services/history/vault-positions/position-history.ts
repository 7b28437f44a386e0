import type { Address } from '@solana/kit';
import { type PositionPoint, positionSeries, type VaultSample } from '../../../domain/pnl/position-series.ts';
import { type Value, type WalletPoint, walletSeries } from '../../../domain/pnl/wallet-series.ts';
import type { StoredVaultEvent } from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { oncePerSession } from '../../request/per-session.ts';
import type { VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { resolveRange } from '../../request/time-range.ts';
import { type History, historyFrom, type SeriesRequest } from '../series.ts';
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

/** The vaults that a wallet has held shares of. */
interface HeldVaults {
  readonly held: readonly VaultEvents[];
  /** Whether all of them are in the View and all of their transactions are known. */
  readonly complete: boolean;
}

const positionHistories = oncePerSession<History<FoldedPoint<PositionPoint>>>();
const walletHistories = oncePerSession<History<FoldedPoint<WalletPoint>>>();

/**
 * One wallet's position in one vault over time, from its first event on. Empty if the wallet never had one. Computed once
 * per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export function positionHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  vault: VaultRecord,
  request: SeriesRequest,
): Promise<History<FoldedPoint<PositionPoint>>> {
  const key = JSON.stringify([wallet, vault.address, request]);
  return positionHistories(session, key, async () => {
    platform.historyFor(session, WHAT);
    const { byVault, complete } = await walletEvents(platform, session, wallet);
    const events = byVault.get(vault.address) ?? [];
    const held = events.length === 0 ? [] : [{ vault, events }];
    const join = async ([series = []]: readonly (readonly PositionPoint[])[]) => series;
    return await folded(platform, session, { held, complete }, request, join);
  });
}

/**
 * The sum of a wallet's vault positions over time, from its first event on. Omits vaults that are not in the View; the
 * history is then incomplete. Computed once per request.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export function walletHistory(
  platform: Platform,
  session: Session,
  wallet: Address,
  request: SeriesRequest,
): Promise<History<FoldedPoint<WalletPoint>>> {
  return walletHistories(session, JSON.stringify([wallet, request]), async () => {
    platform.historyFor(session, WHAT);
    const { byVault, complete } = await walletEvents(platform, session, wallet);
    const held = [...byVault].flatMap(([address, events]) => {
      const vault = session.view.get('vault', address);
      return vault === undefined ? [] : [{ vault, events }];
    });
    const whole = complete && held.length === byVault.size;
    const join = (positions: readonly (readonly PositionPoint[])[]) =>
      session.work.run(walletSeries(positions));
    return await folded(platform, session, { held, complete: whole }, request, join);
  });
}

async function folded<P extends Valued>(
  platform: Platform,
  session: Session,
  { held, complete }: HeldVaults,
  { range: asked, resolution }: SeriesRequest,
  join: (positions: readonly (readonly PositionPoint[])[]) => Promise<readonly P[]>,
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
  const states = new Map((await join(positions)).map((point) => [point.time, point]));
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
  const db = platform.historyFor(session, WHAT);
  const markets = await Promise.all(asks.map((ask) => pastMarket(db, session, ask)));
  const meter = session.work;
  const series: PositionPoint[][] = [];
  for (const [i, { vault, events }] of held.entries()) {
    const { market = null, dayEnds = [] } = markets[i] ?? {};
    if (market === null) continue;
    const samples: VaultSample[] = [];
    for (const point of grid.ofVault[i] ?? []) {
      const pause = meter.step();
      if (pause !== null) await pause;
      samples.push(sampleOf(vault, point));
    }
    samples.push(...liveSample(view, vault));
    series.push(await meter.run(positionSeries(events, samples, market, times, dayEnds)));
  }
  return series;
}
