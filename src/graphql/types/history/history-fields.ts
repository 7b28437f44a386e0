import type { ArgBuilder, ObjectRef } from '@pothos/core';
import {
  checkedMaxPoints,
  DEFAULT_MAX_POINTS,
  type History,
  type Interval,
  MAX_POINTS,
  type SeriesRequest,
} from '../../../services/history/series.ts';
import type { Page } from '../../../services/paging/paging.ts';
import type { Session } from '../../../services/request/session.ts';
import { type Period, type RangeInput, rangeOrLast } from '../../../services/request/time-range.ts';
import { builder, type SchemaTypes } from '../../builder.ts';
import { IntervalRef, PeriodRef, TimeRangeInput } from './time.ts';

type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** Meaning of null for a field that is read from recorded history or transactions. */
export const NO_HISTORY =
  'Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).';

/** What lists of transactions of a whole market, or of all vaults, have in common. */
export const BULK =
  'Needs an API key. They are not counted: `totalCount` is null. A page may be empty and still have a next one, while older transactions are read from the chain.';

/** The arguments of every series. */
export function historyArgs(t: ArgBuilder<BuilderTypes>) {
  return {
    range: t({
      type: TimeRangeInput,
      description:
        'Time range of the series. Defaults to everything recorded. Cannot be combined with `last`.',
    }),
    last: t({
      type: PeriodRef,
      description:
        'The period of the series, up to now: the same as a `range` that starts that long before the time of the View. Cannot be combined with `range`.',
    }),
    interval: t({
      type: IntervalRef,
      description:
        'Width of the buckets. Defaults to days when the range covers more than 31 recorded days or more hours than `maxPoints`, otherwise to hours.',
    }),
    maxPoints: t.int({
      defaultValue: DEFAULT_MAX_POINTS,
      description: `Maximum number of points, from 1 to ${MAX_POINTS}. With \`interval\`, the newest points are returned, and \`truncated\` says whether there are older ones. Without it, days are sampled evenly when there are more, and the last one is included.`,
    }),
  };
}

interface HistoryArgs {
  readonly range?: RangeInput | null | undefined;
  readonly last?: Period | null | undefined;
  readonly interval?: Interval | null | undefined;
  readonly maxPoints?: number | null | undefined;
}

/** Converts the arguments to the form that the services take. @throws NUMBER_OUT_OF_RANGE, BAD_REQUEST */
export function seriesRequest(
  { view }: Session,
  { range, last, interval, maxPoints }: HistoryArgs,
): SeriesRequest {
  return {
    range: rangeOrLast(view, range, last),
    resolution: { interval: interval ?? null, maxPoints: checkedMaxPoints(maxPoints) },
  };
}

/** Defines `XHistory` for a point type. */
export function historyOf<P>(name: string, point: ObjectRef<BuilderTypes, P>, what: string) {
  return builder.objectRef<History<P>>(`${name}History`).implement({
    description: `The recorded history of one ${what}, one point per bucket.`,
    fields: (t) => ({
      points: t.field({
        type: [point],
        description:
          'Points in ascending order of time, including the current bucket. A bucket without a record is omitted.',
        resolve: ({ points }) => [...points] as never,
      }),
      interval: t.expose('interval', {
        type: IntervalRef,
        description: 'Width of the buckets of this series.',
      }),
      recordedSince: t.expose('recordedSince', {
        type: 'DateTime',
        nullable: true,
        description:
          'Start of the first recorded bucket: to the minute while minute points are retained, later to the hour or day. Null when nothing is recorded.',
      }),
      complete: t.exposeBoolean('complete', {
        description:
          'Whether the range has no missing bucket. The range runs from its start (`recordedSince` if none was given) to its end (now if none was given), including the current bucket. False when days were sampled or the series is truncated.',
      }),
      truncated: t.exposeBoolean('truncated', {
        description:
          'Whether the range has older points at this interval than the newest `maxPoints`, which are the ones returned.',
      }),
    }),
  });
}

/** Start of the bucket, on every point. */
export const BUCKET = { type: 'DateTime', description: 'Start of the bucket.' } as const;

/** The columns of a point that hold a value of this type in every row. */
export type ColumnOf<P, Value> = { [N in keyof P]: P[N] extends Value ? N : never }[keyof P];

/** Adds the field `complete` to a list of transactions, whose pages all say it. */
export function addCompleteField<Item>(connection: ObjectRef<BuilderTypes, Page<Item>>): void {
  builder.objectField(connection, 'complete', (t) =>
    t.boolean({
      description:
        'Whether all transactions since the first one have been read from the chain. False while reading is in progress, and when the RPC nodes no longer hold them all.',
      resolve: (page) => (page as Page<Item> & { readonly complete: boolean }).complete,
    }),
  );
}
