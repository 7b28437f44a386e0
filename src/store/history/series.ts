import type { Address } from '@solana/kit';
import type { SeriesTable } from './columns.ts';
import type { Row } from './rows.ts';
import type { ReserveConfigSample } from './samples.ts';

/** What every point of a series tells about itself. */
export interface PointTime {
  /** Start of the bucket. */
  readonly bucket: Date;
  /** How many samples it is made of. */
  readonly samples: number;
  /** Of the last sample, whose values are the ones that are not means. */
  readonly slot: bigint;
  readonly sampledAt: Date;
}

/** What the ids in a row stand for. */
export interface Names {
  addressOf(id: number): Address;
  configOf(id: number): ReserveConfigSample;
}

/** One field of a point: the columns that it is made of, and how. */
export interface Field<V> {
  readonly columns: readonly string[];
  read(row: Row, names: Names): V;
}

/** A table and how the fields of a point are read from one of its rows. Only those are read that are asked for. */
export interface Series<P extends PointTime> {
  readonly table: SeriesTable;
  readonly fields: { readonly [F in keyof P]: Field<P[F]> };
}

/** The fields of a point that were asked for; its bucket is always told. */
export type Told<P extends PointTime, F extends keyof P> = Pick<P, F | 'bucket'>;
