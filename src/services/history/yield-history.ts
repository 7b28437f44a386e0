import { aprOfDailyApy } from '@sluice/protocol/numeric/compounding';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { farmRewards } from '../../domain/rewards.ts';
import type { Slice } from '../../store/history/read-slices.ts';
import type { SampledReward } from '../../store/history/samples.ts';
import type { Platform } from '../platform/platform.ts';
import type { FarmRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import {
  type RangeInput,
  type ResolvedRange,
  rangeProblem,
  resolveRange,
  viewTime,
} from '../request/time-range.ts';
import { vaultOfFarm } from '../wallets/farm-stakes.ts';
import { type History, historyFrom, type Resolution, type SeriesRequest, sliceAsk } from './series.ts';
import { type Slices, slicesOf } from './slices.ts';
import { stakingPast } from './staking-past.ts';

/** The yield of something in one bucket, per year. Both are null when it was unknown. */
export interface YieldPoint {
  readonly bucket: Date;
  readonly apr: Rational | null;
  readonly apy: Rational | null;
}

const WHAT = 'Yield history';
const DAY_MS = 86_400_000;
/** The longest range that REST answers. */
const MAX_DAYS = 366;

/** The range of a REST request: without a start, the longest one up to its end. */
export function yieldRange(view: View, { start, end }: RangeInput): RangeInput {
  const until = end ?? viewTime(view);
  return { start: start ?? new Date(until.getTime() - MAX_DAYS * DAY_MS), end };
}

/** Why a range is invalid: it ends before it starts, or is longer than 366 days. Null when it is valid. */
export function yieldRangeProblem(view: View, asked: RangeInput): string | null {
  const { start, end } = yieldRange(view, asked);
  const problem = rangeProblem(view, { start, end });
  if (problem !== null || !start) return problem;
  const until = end ?? viewTime(view);
  return until.getTime() - start.getTime() > MAX_DAYS * DAY_MS
    ? `the range from ${start.toISOString()} to ${until.toISOString()} is longer than ${MAX_DAYS} days`
    : null;
}

/**
 * The staking yield of a token as it was known in each bucket: that of the last completed epoch. Without points for a token
 * whose price was never recorded.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function tokenYieldHistory(
  platform: Platform,
  session: Session,
  mint: Address,
  { range: asked, resolution }: SeriesRequest,
): Promise<History<YieldPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, WHAT);
  const slice = await slices.price(sliceAsk(mint, range, resolution), ['slot']);
  const past = await stakingPast(platform, session, mint, slice.points);
  return historyFrom(slice, range, resolution, ({ bucket, slot }) => {
    const { apr, apy } = past(slot)?.latest ?? { apr: null, apy: null };
    return { bucket, apr, apy };
  });
}

/**
 * The yield that one reward token of a farm added for suppliers of its reserve or for stakers of its vault. Without points
 * for a farm of borrowers, whose yield is not recorded, and for a token that the farm does not pay.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function farmYieldHistory(
  platform: Platform,
  session: Session,
  farm: FarmRecord,
  rewardMint: Address,
  { range: asked, resolution }: SeriesRequest,
): Promise<History<YieldPoint>> {
  const range = resolveRange(session.view, asked);
  const slices = slicesOf(platform, session, WHAT);
  const earner = paysIn(farm, rewardMint) ? earnerOf(session.view, farm) : null;
  const slice = earner === null ? NOTHING : await rewardsOf(slices, earner, range, resolution);
  return historyFrom(slice, range, resolution, ({ bucket, rewards }) => {
    // Those of the farm are recorded before those of campaigns.
    const apy = rewards.find(({ mint }) => mint === rewardMint)?.apy ?? null;
    return { bucket, apr: apy && aprOfDailyApy(apy), apy };
  });
}

interface RewardedBucket {
  readonly bucket: Date;
  readonly rewards: readonly SampledReward[];
}

const NOTHING: Slice<RewardedBucket> = { step: null, since: null, points: [], total: 0, truncated: false };

/** The reserve or vault whose recorded rewards contain those of a farm. */
interface Earner {
  readonly kind: 'reserve' | 'vault';
  readonly address: Address;
}

async function rewardsOf(
  slices: Slices,
  { kind, address }: Earner,
  range: ResolvedRange,
  resolution: Resolution,
): Promise<Slice<RewardedBucket>> {
  const ask = sliceAsk(address, range, resolution);
  return await (kind === 'reserve' ? slices.reserve(ask, ['rewards']) : slices.vault(ask, ['rewards']));
}

const paysIn = ({ value }: FarmRecord, mint: Address): boolean =>
  farmRewards(value).some(({ info }) => info.token.mint === mint);

/** Null when the rewards of the farm are not recorded. */
function earnerOf(view: View, farm: FarmRecord): Earner | null {
  const reserve = view.reserveOfFarm(farm.address);
  if (reserve !== undefined)
    return reserve.value.farmCollateral === farm.address
      ? { kind: 'reserve', address: reserve.address }
      : null;
  const vault = vaultOfFarm(view, farm);
  return vault && { kind: 'vault', address: vault.address };
}

/** A source of yield: a token, or a reward token of a farm. */
type YieldSource = { readonly mint: Address } | { readonly farm: Address; readonly rewardMint: Address };

/** Null for a text that names neither. */
function parseYieldSource(text: string): YieldSource | null {
  if (isAddress(text)) return { mint: text };
  const [farm = '', rewardMint = '', ...rest] = text.split('-');
  return rest.length === 0 && isAddress(farm) && isAddress(rewardMint) ? { farm, rewardMint } : null;
}

/**
 * The points of a source whose yield is known; none for an unknown source.
 *
 * @param asked passes `yieldRangeProblem`
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function yieldsOfSource(
  platform: Platform,
  session: Session,
  text: string,
  asked: RangeInput,
): Promise<readonly KnownYield[]> {
  const source = parseYieldSource(text);
  if (source === null) return [];
  const range = yieldRange(session.view, asked);
  const request = { range, resolution: { interval: null, maxPoints: null } };
  const { points } =
    'mint' in source
      ? await tokenYieldHistory(platform, session, source.mint, request)
      : await ofFarm(platform, session, source, request);
  return points.flatMap(({ bucket, apr, apy }) =>
    apr === null || apy === null ? [] : [{ bucket, apr, apy }],
  );
}

export type KnownYield = { readonly [F in keyof YieldPoint]: NonNullable<YieldPoint[F]> };

async function ofFarm(
  platform: Platform,
  session: Session,
  source: { readonly farm: Address; readonly rewardMint: Address },
  request: SeriesRequest,
): Promise<Pick<History<YieldPoint>, 'points'>> {
  const farm = session.view.get('farm', source.farm);
  if (farm === undefined) return { points: [] };
  return await farmYieldHistory(platform, session, farm, source.rewardMint, request);
}
