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

/**
 * A table and how a point is read from one of its rows. Readers write every field out: a point that begins with a
 * spread costs three times as much to make, and there are tens of thousands in an answer.
 */
export interface Series<P extends PointTime> {
  readonly table: SeriesTable;
  read(row: Row, names: Names): P;
}
