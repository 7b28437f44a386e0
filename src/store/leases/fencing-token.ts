import { SluiceError } from '../../errors/sluice-error.ts';
import { bigintOf } from '../rows.ts';
import type { Sql, Transactional } from '../sql.ts';

/** Tasks with a leader, and their rows in the lease tables. The tables are named after the first. */
export const LEASES = { recorder: 1, alerts: 2 } as const;
export type LeaseName = keyof typeof LEASES;

/**
 * Runs a transaction that is valid only for the holder of this fencing token. It locks the lease row while it
 * runs: a new leader, which must update that row, waits for it, and a former leader that wakes up later finds
 * another token.
 *
 * @throws NOT_LEADER
 */
export function fenced<S extends Sql, T>(
  db: Transactional<S>,
  fence: bigint,
  work: (sql: S) => Promise<T>,
  name: LeaseName = 'recorder',
): Promise<T> {
  return db.transaction(async (sql) => {
    const [lease] = await sql.rows(
      'SELECT fence::text AS fence FROM recorder_lease WHERE id = $1::integer FOR SHARE',
      [LEASES[name]],
    );
    const current = lease === undefined ? null : bigintOf(lease, 'fence');
    if (current !== fence) {
      throw new SluiceError('NOT_LEADER', {
        fence: fence.toString(),
        current: current === null ? null : current.toString(),
      });
    }
    return await work(sql);
  });
}

/** Takes the next fencing token. From now on no other may write. */
export async function takeFence(sql: Sql, holder: string, name: LeaseName = 'recorder'): Promise<bigint> {
  const [lease] = await sql.rows(TAKE, [holder, LEASES[name]]);
  return bigintOf(lease ?? {}, 'fence');
}

const TAKE = `INSERT INTO recorder_lease (id, fence, holder, since) VALUES ($2::integer, 1, $1::text, now())
  ON CONFLICT (id) DO UPDATE SET fence = recorder_lease.fence + 1, holder = excluded.holder, since = excluded.since
  RETURNING fence::text AS fence`;
