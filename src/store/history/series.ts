import type { Address } from '@solana/kit';
import type { Row } from '../rows.ts';
import type { SeriesTable } from './columns.ts';
import type { ReserveConfigSample } from './samples.ts';

/** Fields of every point. */
export interface PointTime {
  /** Start of the bucket. */
  readonly bucket: Date;
  /** Number of samples in the bucket. */
  readonly samples: number;
  /** Slot of the last sample, which also provides all values that are not means. */
  readonly slot: bigint;
  readonly sampledAt: Date;
}

/** Resolves the ids in a row. */
export interface Names {
  addressOf(id: number): Address;
  configOf(id: number): ReserveConfigSample;
}

/** One field of a point: its columns and how to read them. */
export interface Field<V> {
  readonly columns: readonly string[];
  read(row: Row, names: Names): V;
}

/** A table and how to read each field of a point from its rows. Only selected fields are read. */
export interface Series<P extends PointTime> {
  readonly table: SeriesTable;
  readonly fields: { readonly [F in keyof P]: Field<P[F]> };
}

/** The selected fields of a point; the bucket is always included. */
export type Selected<P extends PointTime, F extends keyof P> = Pick<P, F | 'bucket'>;
