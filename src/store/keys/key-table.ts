import type { Database } from '../sql.ts';

/** A row of the API key table. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** Hexadecimal. */
  readonly hash: string;
  readonly limit: number;
  readonly origins: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** All keys, oldest first. */
export async function readKeys(db: Database): Promise<readonly KeyRow[]> {
  const rows = await db.rows(
    `SELECT id, name, hash, cost_limit AS "limit", origins, created_at AS "createdAt", revoked_at AS "revokedAt"
     FROM api_key ORDER BY created_at, id`,
  );
  return rows as unknown as readonly KeyRow[];
}

export async function addKey(db: Database, key: KeyRow): Promise<void> {
  await db.run(
    `INSERT INTO api_key (id, name, hash, cost_limit, origins, created_at)
     VALUES ($1, $2, $3, $4::integer, $5::text[], $6::timestamptz)`,
    [key.id, key.name, key.hash, key.limit, key.origins, key.createdAt],
  );
}

/** False when the key does not exist or is already revoked. */
export async function revokeKey(db: Database, id: string, now: Date): Promise<boolean> {
  const touched = await db.run(
    'UPDATE api_key SET revoked_at = $2::timestamptz WHERE id = $1 AND revoked_at IS NULL',
    [id, now],
  );
  return touched === 1;
}
