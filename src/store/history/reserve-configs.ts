import { createHash } from 'node:crypto';
import { isAddress } from '@solana/kit';
import { integerOf, type Row, refuse, textOf } from '../rows.ts';
import type { Sql, SqlDatabase } from '../sql.ts';
import type { ReserveConfigSample } from './samples.ts';

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number';
const isText: Check = (value) => typeof value === 'string';
const isKey: Check = (value) => typeof value === 'string' && isAddress(value);
const isListOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const isPair: Check = (value) => isListOf(isNumber)(value) && (value as readonly number[]).length === 2;

/** Hand-written because a validation library would slow down every start, and these rows are our own. */
const CHECKS: { readonly [K in keyof ReserveConfigSample]: Check } = {
  market: isKey,
  status: isText,
  symbol: isText,
  mintAddress: isKey,
  decimals: isNumber,
  loanToValue: isNumber,
  liquidationThreshold: isNumber,
  borrowFactor: isNumber,
  protocolTakeRate: isNumber,
  minLiquidationBonus: isNumber,
  maxLiquidationBonus: isNumber,
  reserveDepositLimit: isText,
  reserveBorrowLimit: isText,
  hostFixedInterestRate: isText,
  borrowLimitOutsideElevationGroup: isText,
  borrowLimitAgainstCollateralInElevationGroups: isListOf(isText),
  borrowCurve: isListOf(isPair),
};

const FIELDS = Object.keys(CHECKS) as (keyof ReserveConfigSample)[];

/** Fields are written in a fixed order, so equal configurations have equal digests. */
const canonical = (config: ReserveConfigSample): string => JSON.stringify(config, FIELDS);

export function reserveConfigFrom(value: unknown): ReserveConfigSample {
  const row: Row = typeof value === 'object' && value !== null ? { ...value } : {};
  const entries = FIELDS.map((field) => {
    if (!CHECKS[field](row[field])) refuse(row, field, 'a valid configuration value');
    return [field, row[field]] as const;
  });
  return Object.fromEntries(entries) as unknown as ReserveConfigSample;
}

/** Digests by configuration object, which as a rule belongs to one reserve, so each object is hashed once. */
const keys = new WeakMap<ReserveConfigSample, { readonly reserveId: number; readonly key: string }>();
const known = new WeakMap<SqlDatabase, Map<string, number>>();

export function configKey(reserveId: number, config: ReserveConfigSample): string {
  const made = keys.get(config);
  if (made?.reserveId === reserveId) return made.key;
  const key = `${reserveId}:${createHash('sha256').update(canonical(config)).digest('hex')}`;
  keys.set(config, { reserveId, key });
  return key;
}

/**
 * Ids by `configKey`; new configurations get one. Like subjects, they are written outside the history
 * transaction.
 */
export async function configIds(
  db: SqlDatabase,
  configs: Iterable<readonly [reserveId: number, config: ReserveConfigSample]>,
): Promise<ReadonlyMap<string, number>> {
  const ids = known.get(db) ?? new Map<string, number>();
  known.set(db, ids);
  const missing = new Map<string, { reserveId: number; digest: string; json: string }>();
  for (const [reserveId, config] of configs) {
    const key = configKey(reserveId, config);
    if (ids.has(key) || missing.has(key)) continue;
    missing.set(key, { reserveId, digest: key.slice(key.indexOf(':') + 1), json: canonical(config) });
  }
  if (missing.size === 0) return ids;
  const wanted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, config]) => config);
  const wantedKeys = [wanted.map(({ reserveId }) => reserveId), wanted.map(({ digest }) => digest)];
  await db.run(
    `INSERT INTO reserve_config (reserve_id, digest, config)
     SELECT reserve_id, digest, config::jsonb FROM unnest($1::int[], $2::text[], $3::text[]) AS u(reserve_id, digest, config)
     WHERE NOT EXISTS (SELECT FROM reserve_config c WHERE c.reserve_id = u.reserve_id AND c.digest = u.digest)
     ON CONFLICT DO NOTHING`,
    [...wantedKeys, wanted.map(({ json }) => json)],
  );
  await loadIds(db, wantedKeys, ids);
  return ids;
}

async function loadIds(
  sql: Sql,
  keys: readonly (readonly (string | number)[])[],
  ids: Map<string, number>,
): Promise<void> {
  const rows = await sql.rows(
    `SELECT c.id, c.reserve_id, c.digest FROM unnest($1::int[], $2::text[]) AS u(reserve_id, digest)
     JOIN reserve_config c ON c.reserve_id = u.reserve_id AND c.digest = u.digest`,
    keys,
  );
  for (const row of rows)
    ids.set(`${integerOf(row, 'reserve_id')}:${textOf(row, 'digest')}`, integerOf(row, 'id'));
}
