import { fenced } from '../leases/fencing-token.ts';
import { integerOf, textOf } from '../rows.ts';
import type { Database, Sql } from '../sql.ts';
import type { AlertRow, DeliveryEvent, Mark } from './alert-rows.ts';
import { insertDeliveries, type NewDelivery } from './deliveries.ts';

/** An alert whose figure is on the other side of its condition than in the last message to its receiver. */
export interface Crossing {
  readonly alert: Pick<AlertRow, 'id' | 'revision'>;
  readonly event: Exclude<DeliveryEvent, 'TEST'>;
  /** Null when it cleared because there is no such figure any more. */
  readonly value: string | null;
}

/** Further findings of an evaluation about an alert. */
export interface Note {
  readonly alert: Pick<AlertRow, 'id' | 'revision'>;
  /** Whether the figure is known and has not crossed: a PENDING alert is CLEAR from now on. */
  readonly isClear: boolean;
  readonly isUnknown: boolean;
  readonly mark: Mark | null;
}

export interface Evaluation {
  readonly slot: bigint;
  readonly crossings: readonly Crossing[];
  readonly notes: readonly Note[];
}

/** Crossings of an older slot than the last one are taken after this time, because a chain may start over. */
const OLDER_SLOT_AFTER = `interval '60 seconds'`;

/**
 * Writes the outcome of an evaluation and the messages of its crossings in one transaction. A crossing is left out while
 * the alert's minimum interval lasts, when its owner has changed the alert meanwhile, and when a former leader has written
 * one of a newer slot: it is found again in a later View if it is still there.
 *
 * @param message the message of a crossing that is written, given its number
 * @returns the ids of the alerts that crossed
 * @throws NOT_LEADER
 */
export function writeEvaluation(
  db: Database,
  fence: bigint,
  { slot, crossings, notes }: Evaluation,
  message: (crossing: Crossing, sequence: number) => Omit<NewDelivery, 'alertId' | 'sequence' | 'event'>,
): Promise<ReadonlySet<string>> {
  return fenced(
    db,
    fence,
    async (sql) => {
      if (notes.length > 0) await writeNotes(sql, notes);
      if (crossings.length === 0) return new Set<string>();
      const rows = await sql.rows(CROSS, [
        crossings.map(({ alert }) => alert.id),
        crossings.map(({ alert }) => alert.revision),
        crossings.map(({ event }) => (event === 'FIRED' ? 'FIRING' : 'CLEAR')),
        crossings.map(({ value }) => value),
        slot,
      ]);
      const numbers = new Map(rows.map((row) => [textOf(row, 'id'), integerOf(row, 'sequence')]));
      const written = crossings.flatMap((crossing) => {
        const sequence = numbers.get(crossing.alert.id);
        if (sequence === undefined) return [];
        const { alert, event } = crossing;
        return [{ alertId: alert.id, sequence, event, ...message(crossing, sequence) }];
      });
      await insertDeliveries(sql, written);
      return new Set(numbers.keys());
    },
    'alerts',
  );
}

async function writeNotes(sql: Sql, notes: readonly Note[]): Promise<void> {
  await sql.run(NOTE, [
    notes.map(({ alert }) => alert.id),
    notes.map(({ alert }) => alert.revision),
    notes.map(({ isClear }) => isClear),
    notes.map(({ isUnknown }) => isUnknown),
    notes.map(({ mark }) => mark?.shares ?? null),
    notes.map(({ mark }) => mark?.at ?? null),
  ]);
}

const CROSS = `UPDATE alert SET state = c.state, value = c.value, slot = $5::bigint, crossed_at = clock_timestamp(),
    unknown_since = NULL, sequence = alert.sequence + 1
  FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[]) AS c(id, revision, state, value)
  WHERE alert.id = c.id AND alert.revision = c.revision AND alert.state <> c.state AND NOT alert.paused
    AND (alert.crossed_at IS NULL
      OR alert.crossed_at <= clock_timestamp() - alert.min_interval_s * interval '1 second')
    AND (alert.slot IS NULL OR alert.slot < $5::bigint
      OR alert.crossed_at <= clock_timestamp() - ${OLDER_SLOT_AFTER})
  RETURNING alert.id, alert.sequence`;

const NOTE = `UPDATE alert SET
    state = CASE WHEN alert.state = 'PENDING' AND n.is_clear THEN 'CLEAR' ELSE alert.state END,
    unknown_since = CASE WHEN n.is_unknown THEN coalesce(alert.unknown_since, clock_timestamp()) END,
    mark = n.mark, marked_at = n.marked_at
  FROM unnest($1::text[], $2::integer[], $3::boolean[], $4::boolean[], $5::text[], $6::timestamptz[])
    AS n(id, revision, is_clear, is_unknown, mark, marked_at)
  WHERE alert.id = n.id AND alert.revision = n.revision`;
