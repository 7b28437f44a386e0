import type { View } from '../../../chain/view/view.ts';
import { type DayVolume, allocationVolume as volumeOf } from '../../../domain/pnl/allocation-volume.ts';
import { SluiceError } from '../../../errors/sluice-error.ts';
import { readVaultEvents } from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import type { VaultRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, rangeProblem, resolveRange, viewTime } from '../../request/time-range.ts';
import { priceLookup } from '../price-lookup.ts';
import type { History } from '../series.ts';
import { pricesSince } from './prices-since.ts';

export type { DayVolume };

function yearsLater(instant: Date, years: number): Date {
  const moved = new Date(instant);
  moved.setUTCFullYear(instant.getUTCFullYear() + years);
  return moved;
}

/** Default range: the year up to its end, or up to now. */
function yearOf(view: View, { start, end }: RangeInput): Required<RangeInput> {
  return { start: start ?? yearsLater(end ?? viewTime(view), -1), end };
}

/** Why a range is invalid: it ends before it starts, or is longer than one calendar year. Null when it is valid. */
export function volumeRangeProblem(view: View, asked: RangeInput): string | null {
  const { start, end } = yearOf(view, asked);
  const problem = rangeProblem(view, { start, end });
  if (problem !== null || !start) return problem;
  const until = end ?? viewTime(view);
  return until > yearsLater(start, 1)
    ? `the range from ${start.toISOString()} to ${until.toISOString()} is longer than one year`
    : null;
}

/**
 * Daily volume between a vault and its reserves, in USD at the prices of each moment. The last year by default.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST
 */
export async function allocationVolume(
  platform: Platform,
  session: Session,
  { address, value }: VaultRecord,
  asked: RangeInput,
): Promise<History<DayVolume>> {
  const { view } = session;
  const db = platform.historyFor(session, 'The allocation volume of a vault');
  const problem = volumeRangeProblem(view, asked);
  if (problem !== null) throw new SluiceError('BAD_REQUEST', { reason: `range: ${problem}.` });
  const { start, end } = resolveRange(view, yearOf(view, asked));
  const { complete } = await ensureIngested(platform, session, address, 'vault');
  const kinds = ['invest', 'withdraw'] as const;
  const page = { order: 'oldestFirst', limit: null } as const;
  const [events, since] = await Promise.all([
    readVaultEvents(db, { vault: address }, { kinds, start, end }, page),
    pricesSince(platform, session, value.tokenMint),
  ]);
  const moved = events.filter(({ reserveTokens }) => reserveTokens !== 0n);
  const mint = value.tokenMint;
  const prices = await priceLookup(
    db,
    session,
    moved.map(({ time }) => ({ address: mint, time })),
    [],
  );
  const range = { start: start.getTime() / 1_000, end: end.getTime() / 1_000 };
  const points = await session.work.run(
    volumeOf(moved, Number(value.tokenMintDecimals), (time) => prices.usd(mint, time), range),
  );
  return {
    points,
    interval: 'DAY',
    recordedSince: since,
    complete: complete && points.every(({ volumeUsd }) => volumeUsd !== null),
    truncated: false,
  };
}
