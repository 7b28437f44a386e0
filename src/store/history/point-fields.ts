import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import {
  bigintOf,
  decimalOf,
  decimalsOf,
  instantOf,
  integerOf,
  meanOf,
  optionalDecimalOf,
  optionalIntegerOf,
  optionalMeanOf,
  type Row,
  textOf,
} from '../rows.ts';
import type { Field, PointTime } from './series.ts';

/** A field read from one column. */
const ofColumn =
  <V>(read: (row: Row, column: string) => V) =>
  (column: string): Field<V> => ({ columns: [column], read: (row) => read(row, column) });

export const decimalField = ofColumn(decimalOf);
export const optionalDecimalField = ofColumn(optionalDecimalOf);
/** The stored list has no trailing zeros; pads it to `length`. */
export const trimmedDecimalsField = (column: string, length: number): Field<readonly Rational[]> => ({
  columns: [column],
  read(row) {
    const stored = decimalsOf(row, column);
    return [...stored, ...new Array<Rational>(Math.max(0, length - stored.length)).fill(ZERO)];
  },
});
export const optionalIntegerField = ofColumn(optionalIntegerOf);
export const bigintField = ofColumn(bigintOf);
export const textField = ofColumn(textOf);

/** A mean, stored as the sum over all samples. */
export const meanField = (name: string): Field<Rational> => ({
  columns: [`${name}_sum`, 'samples'],
  read: (row) => meanOf(row, name),
});

/** A mean over the samples that have the value, stored as their sum and count. */
export const optionalMeanField = (name: string): Field<Rational | null> => ({
  columns: [`${name}_sum`, `${name}_count`],
  read: (row) => optionalMeanOf(row, name),
});

/** Fields of every point. */
export const TIME_FIELDS: { readonly [F in keyof PointTime]: Field<PointTime[F]> } = {
  bucket: ofColumn(instantOf)('bucket'),
  samples: ofColumn(integerOf)('samples'),
  slot: bigintField('slot'),
  sampledAt: ofColumn(instantOf)('sampled_at'),
};
