import type { Address } from '@solana/kit';
import { instantOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { SERIES_OF_KIND, type SeriesKind } from './all-series.ts';
import { leadingKey } from './columns.ts';
import { STEPS, type Step } from './time-buckets.ts';

/** The first and last stored bucket of a step. */
export interface StepExtent {
  readonly step: Step;
  readonly first: Date;
  readonly last: Date;
}

/** The stored extent of each series, finest step first; steps without points are omitted. One statement. */
export async function seriesExtents(
  sql: Sql,
  kind: SeriesKind,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, readonly StepExtent[]>> {
  const unique = [...new Set(addresses)];
  const lists = unique.map((): StepExtent[] => []);
  const rows = unique.length === 0 ? [] : await sql.rows(extentStatement(kind), [unique, STEPS]);
  for (const row of rows) {
    const width = integerOf(row, 'step');
    const step = STEPS.find((each) => each === width);
    if (step === undefined) continue;
    lists[integerOf(row, 'input_index') - 1]?.push({
      step,
      first: instantOf(row, 'first'),
      last: instantOf(row, 'last'),
    });
  }
  for (const list of lists) list.sort((a, b) => a.step - b.step);
  return new Map(unique.map((address, index) => [address, lists[index] ?? []]));
}

/** The earliest bucket of any step; an address that was never recorded is not in the map. One statement. */
export async function recordedSince(
  sql: Sql,
  kind: SeriesKind,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, Date>> {
  const since = new Map<Address, Date>();
  for (const [address, steps] of await seriesExtents(sql, kind, addresses)) {
    const firsts = steps.map(({ first }) => first.getTime());
    if (firsts.length > 0) since.set(address, new Date(Math.min(...firsts)));
  }
  return since;
}

/** Finds each end with one index lookup at the edge of the key range. */
function extentStatement(kind: SeriesKind): string {
  const { table } = SERIES_OF_KIND[kind];
  const end = (direction: 'ASC' | 'DESC') => `(
      SELECT p.bucket FROM ${table.name} p WHERE p.${leadingKey(table)} = s.id AND p.step = k.step
      ORDER BY p.bucket ${direction} LIMIT 1)`;
  return `SELECT input_index, step, date_part('epoch', first) * 1000 AS first, date_part('epoch', last) * 1000 AS last
    FROM (
      SELECT a.input_index::integer AS input_index, k.step, ${end('ASC')} AS first, ${end('DESC')} AS last
      FROM unnest($1::text[]) WITH ORDINALITY AS a(address, input_index)
      JOIN subject s ON s.address = a.address
      CROSS JOIN unnest($2::integer[]) AS k(step)
    ) ends WHERE first IS NOT NULL`;
}
