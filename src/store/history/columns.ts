import type { Address } from '@solana/kit';
import type { Rational } from '../../numeric/rational.ts';
import { times } from './decimals.ts';
import type { ReserveConfigSample, Snapshot } from './samples.ts';

/** `integers` and `decimals` are lists. */
export type ColumnType = 'integer' | 'bigint' | 'decimal' | 'text' | 'instant' | 'integers' | 'decimals';

export const isList = ({ type }: Pick<Column, 'type'>): boolean => type === 'integers' || type === 'decimals';

/** How finer buckets become a coarser one: a sum and a count are added up, anything else is the last. */
export type ColumnRole = 'key' | 'sum' | 'count' | 'last';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly role: ColumnRole;
}

/** One cell on its way to the database; a list of ids is its array literal. */
export type Cell = string | number | Rational | readonly Rational[] | null;

/** What turns a sample into cells besides the sample itself. */
export interface Making {
  idOf(address: Address): number;
  configIdOf(reserve: Address, config: ReserveConfigSample): number;
  /** How many samples this one stands for. */
  readonly weight: number;
}

export interface SampledColumn<S> extends Column {
  cell(sample: S, making: Making): Cell;
}

/** A table of one kind of series: from this its inserts, roll-ups and reads are made. */
export interface SeriesTable {
  readonly name: string;
  /** What is peculiar to it, the key first; `SHARED_COLUMNS` follow the key in every table. */
  readonly columns: readonly Column[];
  /** Columns that hold ids of subjects beside the key, whose addresses a reader wants. */
  readonly named: readonly string[];
  /** Whether a point names the configuration in force. */
  readonly configured: boolean;
  addressesIn(snapshot: Snapshot): Iterable<Address>;
  configsIn(snapshot: Snapshot): Iterable<readonly [reserve: Address, config: ReserveConfigSample]>;
  /** One list of cells per column, each with a cell per sample. */
  cellsOf(snapshot: Snapshot, making: Making): Cell[][];
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
    cellsOf(snapshot, making) {
      const samples = samplesIn(snapshot);
      return columns.map((column) => samples.map((sample) => column.cell(sample, making)));
    },
  };
}

/** Every point has these. `step` and `bucket` are the rest of the key. */
export const SHARED_COLUMNS: readonly Column[] = [
  { name: 'step', type: 'integer', role: 'key' },
  { name: 'bucket', type: 'instant', role: 'key' },
  { name: 'samples', type: 'integer', role: 'count' },
  { name: 'slot', type: 'bigint', role: 'last' },
  { name: 'sampled_at', type: 'instant', role: 'last' },
];

export const allColumns = (table: SeriesTable): readonly Column[] => [...SHARED_COLUMNS, ...table.columns];

/** The columns that tell one series of the table from another. */
export const seriesKey = (table: SeriesTable): readonly string[] =>
  table.columns.filter(({ role }) => role === 'key').map(({ name }) => name);

export const primaryKey = (table: SeriesTable): readonly string[] => [...seriesKey(table), 'step', 'bucket'];

/** The first column of the key, by which all work on many series finds its rows. */
export const leadingKey = (table: SeriesTable): string => seriesKey(table)[0] ?? '';

export const literal = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`;

/** The id of an address; 0 for the side that a pair does not have. */
export function subject<S>(name: string, role: 'key' | 'last', of: (sample: S) => Address | null) {
  return column<S>(name, 'integer', role, (sample, making) => {
    const address = of(sample);
    return address === null ? 0 : making.idOf(address);
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
  return column<S>(name, 'integer', 'last', (sample, making) => making.configIdOf(...of(sample)));
}

/** A mean, kept as the sum over all samples. */
export function mean<S>(name: string, of: (sample: S) => Rational) {
  return column<S>(`${name}_sum`, 'decimal', 'sum', (sample, { weight }) => times(of(sample), weight));
}

/** A mean over those samples that knew the value, kept as their sum and how many they were. */
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
 * The same for lists of one length whose end is mostly zeros, which are not kept. A list is one object for as long as nothing
 * in it changes: each is shortened once.
 */
export function shortenedDecimals<S>(name: string, of: (sample: S) => readonly Rational[]) {
  const shortened = new WeakMap<readonly Rational[], readonly Rational[]>();
  return column<S>(name, 'decimals', 'last', (sample) => {
    const list = of(sample);
    const known = shortened.get(list) ?? withoutLastZeros(list);
    shortened.set(list, known);
    return known;
  });
}

function withoutLastZeros(list: readonly Rational[]): readonly Rational[] {
  return list.slice(0, list.findLastIndex(({ isZero }) => !isZero) + 1);
}

export function subjects<S>(name: string, of: (sample: S) => readonly Address[]) {
  return column<S>(name, 'integers', 'last', (sample, making) => literal(of(sample).map(making.idOf)));
}

function column<S>(
  name: string,
  type: ColumnType,
  role: ColumnRole,
  cell: (sample: S, making: Making) => Cell,
): SampledColumn<S> {
  return { name, type, role, cell };
}
