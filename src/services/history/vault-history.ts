import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { apyBreakdown } from '../../domain/apy.ts';
import type { Slice } from '../../store/history/read-slices.ts';
import type { ReservePoint } from '../../store/history/reserve-series.ts';
import type { VaultPoint } from '../../store/history/vault-series.ts';
import { type RewardApy, totalRewardApy } from '../farms/farms.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';
import { resolveRange } from '../request/time-range.ts';
import type { Yield } from '../reserves/reserves.ts';
import { type BucketPoints, bucketPoints, type PointsByBucket } from './bucket-points.ts';
import { type History, historyFrom, type SeriesRequest, sliceAsk } from './series.ts';
import { slicesOf } from './slices.ts';

export type { ReservePoint } from '../../store/history/reserve-series.ts';
export type { VaultPoint } from '../../store/history/vault-series.ts';

const WHAT = 'Vault history';

/** A bucket of a vault: yields are means over it, everything else is its last value. */
export interface VaultHistoryPoint {
  /** Contains only the requested fields; reading another one throws. */
  readonly sample: VaultPoint;
  /** Computed on demand. Needs `YIELD_FIELDS`. */
  apy(): Yield;
  /** Needs `allocations`. The reserves' points are read once for the whole series. */
  reserves(): Promise<readonly VaultReservePoint[]>;
}

/** A reserve of a vault in one bucket. */
export interface VaultReservePoint {
  readonly reserve: Address;
  /** Fraction of the vault's value invested in it. */
  readonly ratio: Rational;
  /** Mean, without rewards; null when the reserve has no sample in this bucket. So is `rewardsApy`. */
  readonly supplyApy: Rational | null;
  /** Needs `rewards` of the reserve. */
  readonly rewardsApy: Rational | null;
  readonly rewards: readonly RewardApy[];
}

/** Fields to read of each point and of its reserves in the same bucket. Without reserve fields no reserve is read. */
export interface VaultHistoryFields {
  readonly vault: readonly (keyof VaultPoint)[];
  readonly reserve: readonly (keyof ReservePoint)[];
}

/** The fields that `apy()` needs; its reward tokens need `rewards`. */
export const YIELD_FIELDS = [
  'apyActual',
  'apyFarmRewards',
  'apyReservesIncentives',
  'apyIncentives',
] as const satisfies readonly (keyof VaultPoint)[];

/** @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST */
export async function vaultHistory(
  platform: Platform,
  session: Session,
  vault: Address,
  { range: asked, resolution }: SeriesRequest,
  fields: VaultHistoryFields,
): Promise<History<VaultHistoryPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, WHAT);
  const slice = await slices.vault(sliceAsk(vault, range, resolution), fields.vault);
  let join: Promise<Join> | undefined;
  const joined = () => {
    join ??= readJoin(bucketPoints(platform, session, WHAT), slice, fields.reserve);
    return join;
  };
  return historyFrom(slice, range, resolution, (sample) => new SeriesPoint(sample, joined));
}

class SeriesPoint implements VaultHistoryPoint {
  readonly sample: VaultPoint;
  readonly #join: () => Promise<Join>;

  constructor(sample: VaultPoint, join: () => Promise<Join>) {
    this.sample = sample;
    this.#join = join;
  }

  apy(): Yield {
    const { sample } = this;
    const parts = apyBreakdown(sample.apyActual, {
      farmRewards: sample.apyFarmRewards,
      reserveRewards: sample.apyReservesIncentives,
      incentives: sample.apyIncentives,
    });
    return {
      ...parts,
      basis: 'CURRENT',
      get rewards() {
        return sample.rewards;
      },
    };
  }

  async reserves(): Promise<readonly VaultReservePoint[]> {
    const join = await this.#join();
    const at = this.sample.bucket.getTime();
    return this.sample.allocations.map(({ reserve, ratio }) => {
      const point = join.get(reserve)?.get(at);
      return {
        reserve,
        ratio,
        get supplyApy() {
          return point?.supplyApy ?? null;
        },
        get rewardsApy() {
          return point === undefined ? null : totalRewardApy(point.rewards);
        },
        get rewards() {
          return point?.rewards ?? [];
        },
      };
    });
  }
}

type Join = ReadonlyMap<Address, PointsByBucket<ReservePoint>>;

/** The reserves of the published points, in the same buckets. */
async function readJoin(
  { reserve: read }: BucketPoints,
  { step, points }: Pick<Slice<VaultPoint>, 'step' | 'points'>,
  fields: VaultHistoryFields['reserve'],
): Promise<Join> {
  const buckets = new Map<Address, number[]>();
  if (fields.length === 0 || step === null) return new Map();
  for (const { bucket, allocations } of points) {
    for (const { reserve } of allocations) {
      const known = buckets.get(reserve);
      if (known === undefined) buckets.set(reserve, [bucket.getTime()]);
      else known.push(bucket.getTime());
    }
  }
  return new Map(
    await Promise.all(
      [...buckets].map(async ([address, inBuckets]) => {
        return [address, await read({ address, step, buckets: inBuckets }, fields)] as const;
      }),
    ),
  );
}
