import type { Address } from '@solana/kit';
import type { EpochSchedule } from '../../domain/epochs.ts';
import type { EpochRate } from '../../domain/staking-yield.ts';
import { bigintOf, decimalOf, instantOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { DAY, HOUR, instantText, type TimeSpan } from './time-buckets.ts';

/** Slots whose epochs are read: `first` is inclusive, `end` exclusive. */
export interface SlotSpan {
  readonly first: bigint;
  readonly end: bigint;
}

/**
 * The last recorded stake rate of each epoch, ascending, by mint; a mint without one has an empty list. From hours, or from
 * days where hours have expired. One statement, however many mints.
 *
 * @param span bounds the buckets to search, because they have no index by slot
 */
export async function stakeRatesByEpoch(
  sql: Sql,
  { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule,
  mints: readonly Address[],
  slots: SlotSpan,
  span: TimeSpan,
): Promise<ReadonlyMap<Address, readonly EpochRate[]>> {
  const lists = mints.map((): EpochRate[] => []);
  if (mints.length > 0) {
    const rows = await sql.rows(STATEMENT, [
      mints,
      instantText(span.start),
      instantText(span.end),
      // Epochs before the first normal one have few slots: a cluster leaves them behind within a day.
      slots.first > firstNormalSlot ? slots.first : firstNormalSlot,
      slots.end,
      slotsPerEpoch,
      firstNormalSlot,
      firstNormalEpoch,
    ]);
    for (const row of rows) {
      lists[integerOf(row, 'input_index') - 1]?.push({
        epoch: bigintOf(row, 'epoch'),
        slot: bigintOf(row, 'slot'),
        sampledAt: instantOf(row, 'sampled_at'),
        rate: decimalOf(row, 'rate'),
      });
    }
  }
  return new Map(mints.map((mint, index) => [mint, lists[index] ?? []]));
}

const STATEMENT = `SELECT a.input_index::integer AS input_index, e.epoch::text AS epoch, e.slot::text AS slot,
    date_part('epoch', e.sampled_at) * 1000 AS sampled_at, e.rate::text AS rate
  FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (n.epoch) n.epoch, n.slot, n.sampled_at, n.rate
    FROM (
      SELECT $8::bigint + (p.slot - $7::bigint) / $6::bigint AS epoch, p.slot, p.sampled_at, p.stake_rate_sol AS rate
      FROM price_point p
      WHERE p.mint_id = s.id AND p.step IN (${HOUR}, ${DAY})
        AND p.bucket >= $2::timestamptz AND p.bucket < $3::timestamptz
        AND p.slot >= $4::bigint AND p.slot < $5::bigint AND p.stake_rate_sol IS NOT NULL
    ) n
    ORDER BY n.epoch, n.slot DESC
  ) e
  ORDER BY a.input_index, e.epoch`;
