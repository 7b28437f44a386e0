import type { Address } from '@solana/kit';
import { apyBreakdown } from '../../domain/apy.ts';
import type { Rational } from '../../numeric/rational.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { type RewardApy, totalRewardApy } from '../farms.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import type { Yield } from '../reserves.ts';
import { type AskedRange, type ResolvedRange, resolveRange } from './range.ts';
import { type History, historyFrom, sameBuckets, sliceAsk, type Wish } from './series.ts';
import { slicesOf } from './slices.ts';

const WHAT = 'The past of a vault';

/** A bucket of a vault: yields are means over it, everything else is its last value. */
export interface VaultHistoryPoint {
  readonly sample: VaultPoint;
  /** Put together when it is asked for: many a series is drawn of one number alone. */
  apy(): Yield;
  /** What its reserves paid in the same bucket; read once for the whole series. */
  reserves(): Promise<readonly VaultReservePoint[]>;
}

/** A reserve behind a vault in one bucket. */
export interface VaultReservePoint {
  readonly reserve: Address;
  /** Share of the vault's value that was invested in it, a fraction. */
  readonly ratio: Rational;
  /** Interest alone, a mean; null when nothing is recorded of the reserve in this bucket, as is the next. */
  readonly supplyApy: Rational | null;
  readonly rewardsApy: Rational | null;
  readonly rewards: readonly RewardApy[];
}

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST */
export async function vaultHistory(
  platform: Platform,
  session: Session,
  vault: Address,
  asked: AskedRange,
  wish: Wish,
): Promise<History<VaultHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slice = await slicesOf(platform, session, WHAT).vault.load(sliceAsk(vault, range, wish));
  const history: History<VaultHistoryPoint> = historyFrom(slice, range, wish, (point) => ({
    sample: point,
    apy: () => yieldOf(point),
    reserves: () => reservesOf(point, joined()),
  }));
  let join: Promise<Join> | undefined;
  const joined = () => {
    const reserves = slice.points.flatMap(({ allocations }) => allocations.map(({ reserve }) => reserve));
    join ??= readJoin(platform, session, [...new Set(reserves)], range, history.interval);
    return join;
  };
  return history;
}

function yieldOf(point: VaultPoint): Yield {
  const parts = apyBreakdown(point.apyActual, {
    farmRewards: point.apyFarmRewards,
    reserveRewards: point.apyReservesIncentives,
    incentives: point.apyIncentives,
  });
  return { ...parts, basis: 'CURRENT', rewards: point.rewards };
}

/** Points of reserves by the start of their bucket. */
type Join = ReadonlyMap<Address, ReadonlyMap<number, ReservePoint>>;

async function readJoin(
  platform: Platform,
  session: Session,
  reserves: readonly Address[],
  range: ResolvedRange,
  interval: History<unknown>['interval'],
): Promise<Join> {
  const { reserve: loader } = slicesOf(platform, session, WHAT);
  const read = async (reserve: Address) => {
    const { points } = await loader.load(sameBuckets(reserve, range, interval));
    return [reserve, new Map(points.map((point) => [point.bucket.getTime(), point]))] as const;
  };
  return new Map(await Promise.all(reserves.map(read)));
}

async function reservesOf(
  { allocations, bucket }: VaultPoint,
  joining: Promise<Join>,
): Promise<readonly VaultReservePoint[]> {
  const join = await joining;
  return allocations.map(({ reserve, ratio }) => {
    const point = join.get(reserve)?.get(bucket.getTime());
    return {
      reserve,
      ratio,
      supplyApy: point?.supplyApy ?? null,
      rewardsApy: point === undefined ? null : totalRewardApy(point.rewards),
      rewards: point?.rewards ?? [],
    };
  });
}
