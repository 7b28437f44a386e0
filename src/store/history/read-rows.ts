import { allColumns, type Column, type SeriesTable } from './columns.ts';
import { reserveConfigFrom } from './reserve-configs.ts';
import { addressOf, type Row, refuse } from './rows.ts';
import type { Names, PointTime, Series, Told } from './series.ts';

/** All that a point of a series can tell. */
export const everyField = <P extends PointTime>({ fields }: Series<P>): readonly (keyof P)[] =>
  Object.keys(fields) as (keyof P)[];

/** The columns that some fields are read from, the bucket always among them. */
export function columnsOf<P extends PointTime>(
  { table, fields }: Series<P>,
  asked: readonly (keyof P)[],
): readonly Column[] {
  const names = new Set(['bucket', ...asked.flatMap((field) => fields[field].columns)]);
  return allColumns(table).filter(({ name }) => names.has(name));
}

/** The rows of a series go to the lists that they were asked for, each ascending. */
export function readRows<P extends PointTime, F extends keyof P>(
  series: Series<P>,
  fields: readonly F[],
  rows: readonly Row[],
  listOf: (row: Row) => Told<P, F>[] | undefined,
): void {
  const names = namesIn(rows, columnsOf(series, fields), series.table);
  const read = pointReader(series, fields);
  const touched = new Set<Told<P, F>[]>();
  for (const row of rows) {
    const list = listOf(row) ?? refuse(row, 'asked', 'one of the addresses');
    list.push(read(row, names));
    touched.add(list);
  }
  // They come in the order of the key, which no statement promises; sorting what is sorted costs next to nothing.
  for (const list of touched) list.sort((a, b) => a.bucket.getTime() - b.bucket.getTime());
}

function pointReader<P extends PointTime, F extends keyof P>(
  series: Series<P>,
  fields: readonly F[],
): (row: Row, names: Names) => Told<P, F> {
  const told = [...new Set<keyof P>(['bucket', ...fields])];
  const readers = told.map((field) => [field, series.fields[field]] as const);
  const prototype = refusing(everyField(series).filter((field) => !told.includes(field)));
  return (row, names) => {
    const point = Object.create(prototype) as { -readonly [K in keyof P]: P[K] };
    for (const [field, { read }] of readers) point[field] = read(row, names);
    return point;
  };
}

/** What was not asked for must not pass for unknown. */
function refusing(fields: readonly PropertyKey[]): object {
  const prototype = {};
  for (const field of fields) {
    const get = () => refuse({ [field]: undefined }, String(field), 'asked for');
    Object.defineProperty(prototype, field, { get });
  }
  return prototype;
}

/** The columns of rows with a column `asked`, and the names of their ids once, in whichever row comes first. */
export function withNames(table: SeriesTable, columns: readonly Column[], points: string): string {
  const once = (query: string) => `CASE WHEN row_number() OVER () = 1 THEN (${query}) END`;
  const lists = columns.filter((column) => isNamed(table, column)).map(asList);
  const subjects = `SELECT json_agg(json_build_array(s.id, s.address))::text FROM subject s
    WHERE s.id = ANY(ARRAY(SELECT DISTINCT unnest(${lists.join(' || ')}) FROM points))`;
  const configs = `SELECT json_agg(json_build_array(c.id, c.config))::text FROM reserve_config c
    WHERE c.id = ANY(ARRAY(SELECT DISTINCT config_id FROM points))`;
  const told = [
    'asked',
    ...columns.map(selected),
    ...(lists.length > 0 ? [`${once(subjects)} AS subjects`] : []),
    ...(columns.some(isConfig) ? [`${once(configs)} AS configs`] : []),
  ];
  return `WITH points AS (${points}) SELECT ${told.join(', ')} FROM points`;
}

const isNamed = ({ named }: SeriesTable, { name }: Column): boolean => named.includes(name);
const isConfig = ({ name }: Column): boolean => name === 'config_id';
const asList = ({ name, type }: Column): string => (type === 'integers' ? name : `ARRAY[${name}]`);

/** No number of a driver touches what has to stay exact, nor its time zone an instant. */
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
  const subjects = columns.some((column) => isNamed(table, column)) ? told(rows, 'subjects') : [];
  const addresses = new Map(subjects.map(([id, value]) => [id, addressOf({ value }, 'value')] as const));
  const settings = columns.some(isConfig) ? told(rows, 'configs') : [];
  const configs = new Map(settings.map(([id, value]) => [id, reserveConfigFrom(value)] as const));
  return {
    addressOf: (id) => addresses.get(id) ?? refuse({ id }, 'id', 'a subject'),
    configOf: (id) => configs.get(id) ?? refuse({ id }, 'id', 'a configuration'),
  };
}

/** What ids stand for, in whichever row tells it. */
function told(rows: readonly Row[], column: string): readonly (readonly [number, unknown])[] {
  const row = rows.find((each) => typeof each[column] === 'string');
  const pairs: unknown = JSON.parse(row === undefined ? '[]' : String(row[column]));
  return Array.isArray(pairs) && pairs.every(isNaming) ? pairs : refuse({ [column]: pairs }, column, 'pairs');
}

const isNaming = (pair: unknown): pair is readonly [number, unknown] =>
  Array.isArray(pair) && pair.length === 2 && Number.isSafeInteger(pair[0]);
