import { createHash } from 'node:crypto';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';
import type { Database, Sql } from '../sql.ts';
import { integerOf, textOf } from './rows.ts';
import type { ReserveConfigSample } from './samples.ts';

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value));

const configSchema = z.object({
  market: address,
  status: z.string(),
  symbol: z.string(),
  mintAddress: address,
  decimals: z.number(),
  loanToValue: z.number(),
  liquidationThreshold: z.number(),
  borrowFactor: z.number(),
  protocolTakeRate: z.number(),
  minLiquidationBonus: z.number(),
  maxLiquidationBonus: z.number(),
  reserveDepositLimit: z.string(),
  reserveBorrowLimit: z.string(),
  hostFixedInterestRate: z.string(),
  borrowLimitOutsideElevationGroup: z.string(),
  borrowLimitAgainstCollateralInElevationGroups: z.array(z.string()).readonly(),
  borrowCurve: z.array(z.tuple([z.number(), z.number()]).readonly()).readonly(),
}) satisfies z.ZodType<ReserveConfigSample>;

const FIELDS = Object.keys(configSchema.shape);

/** Written field by field in one order, so that equal configurations have equal digests. */
const canonical = (config: ReserveConfigSample): string => JSON.stringify(config, FIELDS);

export const reserveConfigFrom = (value: unknown): ReserveConfigSample => configSchema.parse(value);

/** A configuration is hashed once for as long as its object lives, which as a rule is of one reserve. */
const keys = new WeakMap<ReserveConfigSample, { readonly reserveId: number; readonly key: string }>();
const known = new WeakMap<Database, Map<string, number>>();

export function configKey(reserveId: number, config: ReserveConfigSample): string {
  const made = keys.get(config);
  if (made?.reserveId === reserveId) return made.key;
  const key = `${reserveId}:${createHash('sha256').update(canonical(config)).digest('hex')}`;
  keys.set(config, { reserveId, key });
  return key;
}

/** Ids by `configKey`; a configuration that was never seen gets one. As with addresses, no history by itself. */
export async function configIds(
  db: Database,
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
  await learn(db, wantedKeys, ids);
  return ids;
}

async function learn(
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
