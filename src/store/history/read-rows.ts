import { workOf } from '../map-rows.ts';
import { addressOf, type Row, refuse } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { allColumns, type Column, type SeriesTable } from './columns.ts';
import { reserveConfigFrom } from './reserve-configs.ts';
import type { Names, PointTime, Selected, Series } from './series.ts';

/** All fields that a point of the series has. */
export const everyField = <P extends PointTime>({ fields }: Series<P>): readonly (keyof P)[] =>
  Object.keys(fields) as (keyof P)[];

/** The columns needed to read the given fields; always includes the bucket. */
export function columnsOf<P extends PointTime>(
  { table, fields }: Series<P>,
  selected: readonly (keyof P)[],
): readonly Column[] {
  const names = new Set(['bucket', ...selected.flatMap((field) => fields[field].columns)]);
  return allColumns(table).filter(({ name }) => names.has(name));
}

/** Rows to decode before the clock is looked at. */
const ROWS_PER_CHECK = 50;

/**
 * Appends each row to the list it belongs to and leaves every list in ascending order. Pauses between rows: thousands of
 * them would otherwise block other requests.
 */
export async function readRows<P extends PointTime, F extends keyof P>(
  sql: Sql,
  series: Series<P>,
  fields: readonly F[],
  rows: readonly Row[],
  listOf: (row: Row) => Selected<P, F>[] | undefined,
): Promise<void> {
  const names = namesIn(rows, columnsOf(series, fields), series.table);
  const read = pointReader(series, fields);
  const touched = new Set<Selected<P, F>[]>();
  for (const [index, row] of rows.entries()) {
    const pause = index % ROWS_PER_CHECK === ROWS_PER_CHECK - 1 ? workOf(sql).giveWay() : null;
    if (pause !== null) await pause;
    const list = listOf(row) ?? refuse(row, 'input_index', 'one of the addresses');
    list.push(read(row, names));
    touched.add(list);
  }
  // Rows usually arrive in key order, but no statement guarantees it; sorting a sorted list is nearly free.
  for (const list of touched) list.sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

function pointReader<P extends PointTime, F extends keyof P>(
  series: Series<P>,
  fields: readonly F[],
): (row: Row, names: Names) => Selected<P, F> {
  const selected = [...new Set<keyof P>(['bucket', ...fields])];
  const readers = selected.map((field) => [field, series.fields[field]] as const);
  const prototype = throwingFields(everyField(series).filter((field) => !selected.includes(field)));
  return (row, names) => {
    const point = Object.create(prototype) as { -readonly [K in keyof P]: P[K] };
    for (const [field, { read }] of readers) point[field] = read(row, names);
    return point;
  };
}

/** Reading a field that was not selected throws, so it cannot be mistaken for null. */
function throwingFields(fields: readonly PropertyKey[]): object {
  const prototype = {};
  for (const field of fields) {
    const get = () => refuse({ [field]: undefined }, String(field), 'a selected field');
    Object.defineProperty(prototype, field, { get });
  }
  return prototype;
}

/**
 * Selects the columns of rows that have an `input_index` column, and, in the first row only, what their ids stand
 * for.
 */
export function withNames(table: SeriesTable, columns: readonly Column[], points: string): string {
  const once = (query: string) => `CASE WHEN row_number() OVER () = 1 THEN (${query}) END`;
  const lists = columns.filter((column) => isNamed(table, column)).map(asList);
  const subjects = `SELECT json_agg(json_build_array(s.id, s.address))::text FROM subject s
    WHERE s.id = ANY(ARRAY(SELECT DISTINCT unnest(${lists.join(' || ')}) FROM points))`;
  const configs = `SELECT json_agg(json_build_array(c.id, c.config))::text FROM reserve_config c
    WHERE c.id = ANY(ARRAY(SELECT DISTINCT config_id FROM points))`;
  const selection = [
    'input_index',
    ...columns.map(selected),
    ...(lists.length > 0 ? [`${once(subjects)} AS subjects`] : []),
    ...(columns.some(isConfig) ? [`${once(configs)} AS configs`] : []),
  ];
  return `WITH points AS (${points}) SELECT ${selection.join(', ')} FROM points`;
}

const isNamed = ({ named }: SeriesTable, { name }: Column): boolean => named.includes(name);
const isConfig = ({ name }: Column): boolean => name === 'config_id';
const asList = ({ name, type }: Column): string => (type === 'integers' ? name : `ARRAY[${name}]`);

/**
 * Selects exact numbers as text and instants as milliseconds, so the driver can neither round them nor apply
 * a time zone.
 */
export function selected({ name, type }: Column): string {
  switch (type) {
    case 'integer':
    case 'text':
      return name;
    case 'instant':
      return `date_part('epoch', ${name}) * 1000 AS ${name}`;
    case 'bigint':
    case 'decimal':
    case 'integers':
    case 'decimals':
      return `${name}::text AS ${name}`;
  }
}

function namesIn(rows: readonly Row[], columns: readonly Column[], table: SeriesTable): Names {
  const subjects = columns.some((column) => isNamed(table, column)) ? idPairs(rows, 'subjects') : [];
  const addresses = new Map(subjects.map(([id, value]) => [id, addressOf({ value }, 'value')] as const));
  const settings = columns.some(isConfig) ? idPairs(rows, 'configs') : [];
  const configs = new Map(settings.map(([id, value]) => [id, reserveConfigFrom(value)] as const));
  return {
    addressOf: (id) => addresses.get(id) ?? refuse({ id }, 'id', 'a subject'),
    configOf: (id) => configs.get(id) ?? refuse({ id }, 'id', 'a configuration'),
  };
}

/** The ids and their values, from whichever row carries them. */
function idPairs(rows: readonly Row[], column: string): readonly (readonly [number, unknown])[] {
  const row = rows.find((each) => typeof each[column] === 'string');
  const pairs: unknown = JSON.parse(row === undefined ? '[]' : String(row[column]));
  return Array.isArray(pairs) && pairs.every(isIdPair) ? pairs : refuse({ [column]: pairs }, column, 'pairs');
}

const isIdPair = (pair: unknown): pair is readonly [number, unknown] =>
  Array.isArray(pair) && pair.length === 2 && Number.isSafeInteger(pair[0]);
