import type { ArgBuilder, ObjectRef } from '@pothos/core';
import type { AskedRange } from '../services/history/range.ts';
import {
  checkedMaxPoints,
  DEFAULT_MAX_POINTS,
  type History,
  type Interval,
  MAX_POINTS,
  type Wish,
} from '../services/history/series.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { IntervalRef, TimeRangeInput } from './types/time.ts';

type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** The three arguments of every series. */
export function historyArgs(t: ArgBuilder<BuilderTypes>) {
  return {
    range: t({ type: TimeRangeInput, description: 'Which part of the past. All of it when left out.' }),
    interval: t({
      type: IntervalRef,
      description:
        'Width of the buckets; a wider one is used where this would give more than `maxPoints`. When left out, days for more than 31 days of recorded past, otherwise hours.',
    }),
    maxPoints: t.int({
      defaultValue: DEFAULT_MAX_POINTS,
      description: `The most points that are wanted, from 1 to ${MAX_POINTS}. Days that are more are thinned out evenly, the last one kept.`,
    }),
  };
}

interface HistoryArgs {
  readonly range?: AskedRange | null | undefined;
  readonly interval?: Interval | null | undefined;
  readonly maxPoints?: number | null | undefined;
}

/** The arguments as the services take them. @throws NUMBER_OUT_OF_RANGE */
export function asked({ range, interval, maxPoints }: HistoryArgs): readonly [AskedRange, Wish] {
  return [range ?? {}, { interval: interval ?? null, maxPoints: checkedMaxPoints(maxPoints) }];
}

/** Defines `XHistory` for a type of points. */
export function historyOf<P>(name: string, point: ObjectRef<BuilderTypes, P>, what: string) {
  return builder.objectRef<History<P>>(`${name}History`).implement({
    description: `The past of a ${what}: points at even distances, as they were recorded.`,
    fields: (t) => ({
      points: t.field({
        type: [point],
        nullable: false,
        description:
          'Ascending, the running bucket included. A bucket in which nothing was recorded is left out.',
        resolve: ({ points }) => [...points] as never,
      }),
      interval: t.field({
        type: IntervalRef,
        nullable: false,
        description: 'Width of the buckets that was used.',
        resolve: ({ interval }) => interval,
      }),
      recordedSince: t.expose('recordedSince', {
        type: 'DateTime',
        nullable: true,
        description:
          'Since when anything is known, to the minute while minutes are kept, later on to the hour or day. Null when nothing is recorded.',
      }),
      complete: t.exposeBoolean('complete', {
        nullable: false,
        description:
          'Whether no bucket is missing from the range: from its start, or from `recordedSince` when none was given, to its end or now, the running bucket included. False where days were thinned out.',
      }),
    }),
  });
}

/** Start of the bucket, on every point. */
export const BUCKET = { type: 'DateTime', nullable: false, description: 'Start of the bucket.' } as const;
