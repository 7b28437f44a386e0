import type { Sql } from '../../../src/store/sql.ts';

const TABLES = ['vault_point', 'reserve_point', 'market_point', 'price_point', 'reward_point'];
const WIDTHS = { 3600: 3_600_000, 86400: 86_400_000 } as const;

type Cells = Readonly<Record<string, string | null>>;

/**
 * Everything that is wrong with the recorded history, by its own arithmetic: minutes without points, and hours and days
 * that are not what their minutes add up to. Only for a history that consists of minutes from `since` on, a midnight.
 */
export async function faultsOf(sql: Sql, since: Date = new Date(0)): Promise<string[]> {
  const snapshots = await sql.rows('SELECT bucket::text AS bucket FROM snapshot WHERE bucket >= $1', [
    since.toISOString(),
  ]);
  const minutes = snapshots.map(({ bucket }) => String(bucket));
  const faults: string[] = [];
  for (const table of TABLES) {
    const key = await keyOf(sql, table);
    const rows = await cellsOf(sql, table, since);
    const ofMinutes = rows.filter(({ step }) => step === '60');
    const recorded = new Set(ofMinutes.map(({ bucket }) => bucket));
    if (table !== 'reward_point') {
      for (const minute of minutes)
        if (!recorded.has(minute)) faults.push(`${table} has nothing for ${minute}`);
    }
    for (const bucket of recorded) {
      if (bucket !== null && bucket !== undefined && !minutes.includes(bucket))
        faults.push(`${table} has ${bucket}, which is no snapshot`);
    }
    for (const [step, width] of Object.entries(WIDTHS)) {
      const expected = rolledUp(ofMinutes, key, step, width).sort();
      const found = rows
        .filter((row) => row.step === step)
        .map(textOf)
        .sort();
      for (let i = 0; i < Math.max(expected.length, found.length); i += 1) {
        if (expected[i] !== found[i]) faults.push(`${table} ${step}: ${found[i]} instead of ${expected[i]}`);
      }
    }
  }
  return faults.slice(0, 5);
}

async function keyOf(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql.rows(
    `SELECT a.attname::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisprimary`,
    [table],
  );
  return rows.map(({ name }) => String(name)).filter((name) => name !== 'bucket' && name !== 'step');
}

async function cellsOf(sql: Sql, table: string, since: Date): Promise<Cells[]> {
  const columns = await sql.rows(
    'SELECT column_name::text AS name FROM information_schema.columns WHERE table_name = $1',
    [table],
  );
  const names = columns.map(({ name }) => String(name));
  const rows = await sql.rows(
    `SELECT ${names.map((name) => `${name}::text AS ${name}`).join(', ')} FROM ${table} WHERE bucket >= $1`,
    [since.toISOString()],
  );
  return rows as Cells[];
}

function rolledUp(minutes: readonly Cells[], key: readonly string[], step: string, width: number): string[] {
  const groups = new Map<string, Cells[]>();
  for (const row of minutes) {
    const coarse = Math.floor(Date.parse(row.bucket ?? '') / width) * width;
    const name = [...key.map((column) => row[column]), coarse].join(' ');
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(([name, group]) => {
    const ordered = group.sort((a, b) => Date.parse(a.bucket ?? '') - Date.parse(b.bucket ?? ''));
    const last = ordered[ordered.length - 1] ?? {};
    const cells = Object.entries(last).map(([column, value]): [string, string | null] => {
      if (column === 'step') return [column, step];
      if (column === 'bucket') return [column, new Date(Number(name.split(' ').at(-1))).toISOString()];
      const isSummed = column === 'samples' || column.endsWith('_sum') || column.endsWith('_count');
      return [column, isSummed ? sumOf(ordered.map((row) => row[column] ?? null)) : value];
    });
    return textOf(Object.fromEntries(cells));
  });
}

/** Null when there are no samples. */
function sumOf(values: readonly (string | null)[]): string | null {
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0) return null;
  return decimal(known.reduce((sum, value) => sum + scaled(value), 0n));
}

const PLACES = 40;

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction.padEnd(PLACES, '0'));
  return text.startsWith('-') ? -digits : digits;
}

const decimal = (value: bigint) =>
  `${value < 0n ? '-' : ''}${(value < 0n ? -value : value).toString()}e-${PLACES}`;

/** Normalises numbers and instants, which the database writes in several forms. */
function textOf(row: Cells): string {
  const normal = (column: string, value: string | null) => {
    if (value === null || value.includes('e-')) return value;
    if (column === 'bucket' || column === 'sampled_at') return String(Date.parse(value));
    return /^-?\d+(\.\d+)?$/.test(value) ? decimal(scaled(value)) : value;
  };
  return Object.keys(row)
    .sort()
    .map((column) => `${column}=${normal(column, row[column] ?? null)}`)
    .join(' ');
}
