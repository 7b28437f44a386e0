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
export async function readKeys({ models }: Database): Promise<readonly KeyRow[]> {
  const keys = await models.apiKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return keys.map(({ costLimit: limit, ...key }) => ({ ...key, limit }));
}

export async function addKey({ models }: Database, key: KeyRow): Promise<void> {
  const { id, name, hash, limit: costLimit, createdAt } = key;
  await models.apiKey.create({ data: { id, name, hash, costLimit, origins: [...key.origins], createdAt } });
}

/** False when the key does not exist or is already revoked. */
export async function revokeKey({ models }: Database, id: string, now: Date): Promise<boolean> {
  const { count } = await models.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}
