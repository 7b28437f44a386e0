import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { times } from '../decimals.ts';
import type { ReserveConfigSample, Snapshot } from './samples.ts';

/** `integers` and `decimals` are lists. */
export type ColumnType = 'integer' | 'bigint' | 'decimal' | 'text' | 'instant' | 'integers' | 'decimals';

export const isList = ({ type }: Pick<Column, 'type'>): boolean => type === 'integers' || type === 'decimals';

/** Merge rule of a roll-up: sums and counts are added, anything else takes the last value. */
export type ColumnRole = 'key' | 'sum' | 'count' | 'last';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly role: ColumnRole;
}

/** One cell to write; a list of ids is given as its array literal. */
export type Cell = string | number | Rational | readonly Rational[] | null;

/** Everything besides the sample that a column needs to produce a cell. */
export interface CellContext {
  idOf(address: Address): number;
  configIdOf(reserve: Address, config: ReserveConfigSample): number;
  /** Number of samples that this one represents. */
  readonly weight: number;
}

/** Resolves the addresses and configurations of a snapshot to their ids. */
export type SnapshotIds = Omit<CellContext, 'weight'>;

export interface SampledColumn<S> extends Column {
  cell(sample: S, context: CellContext): Cell;
}

/** A table that stores one kind of series. Its inserts, roll-ups and reads are generated from this. */
export interface SeriesTable {
  readonly name: string;
  /** The columns specific to this table, key columns first. Every table also has `SHARED_COLUMNS`. */
  readonly columns: readonly Column[];
  /** Columns besides the key that hold subject ids which readers need as addresses. */
  readonly named: readonly string[];
  /** Whether points reference a reserve configuration. */
  readonly configured: boolean;
  addressesIn(snapshot: Snapshot): Iterable<Address>;
  configsIn(snapshot: Snapshot): Iterable<readonly [reserve: Address, config: ReserveConfigSample]>;
  /** One list per column, each with one cell per sample. */
  cellsOf(snapshot: Snapshot, context: CellContext): Cell[][];
}

interface SeriesTableOptions<S> {
  readonly name: string;
  readonly columns: readonly SampledColumn<S>[];
  samplesIn(snapshot: Snapshot): readonly S[];
  addressesOf(sample: S): readonly Address[];
  readonly named?: readonly string[];
  configOf?(sample: S): readonly [reserve: Address, config: ReserveConfigSample];
}

export function seriesTable<S>(options: SeriesTableOptions<S>): SeriesTable {
  const { name, columns, samplesIn, addressesOf, configOf, named = [] } = options;
  return {
    name,
    columns,
    named,
    configured: configOf !== undefined,
    addressesIn(snapshot) {
      const addresses: Address[] = [];
      for (const sample of samplesIn(snapshot)) addresses.push(...addressesOf(sample));
      return addresses;
    },
    configsIn: (snapshot) => (configOf === undefined ? [] : samplesIn(snapshot).map(configOf)),
    cellsOf(snapshot, context) {
      const samples = samplesIn(snapshot);
      return columns.map((column) => samples.map((sample) => column.cell(sample, context)));
    },
  };
}

/** Columns of every table. `step` and `bucket` complete the key. */
const SHARED_COLUMNS: readonly Column[] = [
  { name: 'step', type: 'integer', role: 'key' },
  { name: 'bucket', type: 'instant', role: 'key' },
  { name: 'samples', type: 'integer', role: 'count' },
  { name: 'slot', type: 'bigint', role: 'last' },
  { name: 'sampled_at', type: 'instant', role: 'last' },
];

export const allColumns = (table: SeriesTable): readonly Column[] => [...SHARED_COLUMNS, ...table.columns];

/** The columns that identify a series within the table. */
export const seriesKey = (table: SeriesTable): readonly string[] =>
  table.columns.filter(({ role }) => role === 'key').map(({ name }) => name);

export const primaryKey = (table: SeriesTable): readonly string[] => [...seriesKey(table), 'step', 'bucket'];

/** The first key column, by which bulk operations find their rows. */
export const leadingKey = (table: SeriesTable): string => seriesKey(table)[0] ?? '';

export const literal = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`;

/** The id of an address; 0 when the sample has none (the missing side of a pair). */
export function subject<S>(name: string, role: 'key' | 'last', of: (sample: S) => Address | null) {
  return column<S>(name, 'integer', role, (sample, context) => {
    const address = of(sample);
    return address === null ? 0 : context.idOf(address);
  });
}

export function text<S>(name: string, role: 'key' | 'last', of: (sample: S) => string) {
  return column<S>(name, 'text', role, of);
}

export function decimal<S>(name: string, of: (sample: S) => Rational | null) {
  return column<S>(name, 'decimal', 'last', of);
}

export function integer<S>(name: string, of: (sample: S) => number | null) {
  return column<S>(name, 'integer', 'last', of);
}

export function bigint<S>(name: string, of: (sample: S) => bigint) {
  return column<S>(name, 'bigint', 'last', (sample) => of(sample).toString());
}

export function configId<S>(
  name: string,
  of: (sample: S) => readonly [reserve: Address, config: ReserveConfigSample],
) {
  return column<S>(name, 'integer', 'last', (sample, context) => context.configIdOf(...of(sample)));
}

/** A mean, stored as the sum over all samples. */
export function mean<S>(name: string, of: (sample: S) => Rational) {
  return column<S>(`${name}_sum`, 'decimal', 'sum', (sample, { weight }) => times(of(sample), weight));
}

/** A mean over the samples that have the value, stored as their sum and count. */
export function optionalMean<S>(name: string, of: (sample: S) => Rational | null): SampledColumn<S>[] {
  return [
    column<S>(`${name}_sum`, 'decimal', 'sum', (sample, { weight }) => {
      const value = of(sample);
      return value && times(value, weight);
    }),
    column<S>(`${name}_count`, 'integer', 'count', (sample, { weight }) =>
      of(sample) === null ? 0 : weight,
    ),
  ];
}

export function decimals<S>(name: string, of: (sample: S) => readonly Rational[]) {
  return column<S>(name, 'decimals', 'last', of);
}

/**
 * Fixed-length lists that mostly end in zeros, stored without the trailing zeros. The same list object recurs
 * while its values do not change, so each is trimmed once.
 */
export function trimmedDecimals<S>(name: string, of: (sample: S) => readonly Rational[]) {
  const trimmed = new WeakMap<readonly Rational[], readonly Rational[]>();
  return column<S>(name, 'decimals', 'last', (sample) => {
    const list = of(sample);
    const known = trimmed.get(list) ?? withoutTrailingZeros(list);
    trimmed.set(list, known);
    return known;
  });
}

function withoutTrailingZeros(list: readonly Rational[]): readonly Rational[] {
  return list.slice(0, list.findLastIndex(({ isZero }) => !isZero) + 1);
}

export function subjects<S>(name: string, of: (sample: S) => readonly Address[]) {
  return column<S>(name, 'integers', 'last', (sample, context) => literal(of(sample).map(context.idOf)));
}

function column<S>(
  name: string,
  type: ColumnType,
  role: ColumnRole,
  cell: (sample: S, context: CellContext) => Cell,
): SampledColumn<S> {
  return { name, type, role, cell };
}
