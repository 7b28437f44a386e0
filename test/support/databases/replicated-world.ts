import { openDatabase } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { ReadReplicas } from '../../../src/store/replicas/read-replicas.ts';
import type { ReplicaState } from '../../../src/store/replicas/replica.ts';
import type { Database } from '../../../src/store/sql.ts';
import { startTestPostgres, startTestReplica, type TestPostgres } from './postgres-server.ts';

/** A primary with streaming replicas, and the database that reads from them. */
export interface ReplicatedWorld {
  readonly primary: TestPostgres;
  readonly servers: readonly TestPostgres[];
  /** A direct connection to each of the servers. */
  readonly on: { readonly primary: Database; readonly replicas: readonly Database[] };
  /** Opens the database as a gateway does. Closed with the world. */
  open(urls?: readonly string[], maxLagMs?: number): Promise<OpenReplicas>;
  stop(): Promise<void>;
}

export interface OpenReplicas {
  readonly replicas: ReadReplicas;
  /** Every reported change. */
  readonly changes: ReplicaState[];
  /** The newest row as `recorded` reads see it, and the port of the server that answered. */
  read(): Promise<{ readonly newest: number; readonly port: number }>;
}

export const portOf = (server: Pick<TestPostgres, 'url'>): number => Number(new URL(server.url).port);

const POOL = { poolSize: 4, statementTimeoutMs: 20_000 };

/** The table `mark` has the rows that `write` adds, ascending. */
export async function startReplicatedWorld(count: number): Promise<ReplicatedWorld> {
  const primary = await startTestPostgres();
  await migrate(primary.url);
  const db = await openDatabase({ ...POOL, url: primary.url });
  await db.run('CREATE TABLE mark (n bigint PRIMARY KEY)');
  await write(db, 1);
  const servers: TestPostgres[] = [];
  for (let i = 0; i < count; i += 1) servers.push(await startTestReplica(primary));
  const direct = await Promise.all(servers.map(({ url }) => openDatabase({ ...POOL, url })));
  const opened: ReadReplicas[] = [];
  return {
    primary,
    servers,
    on: { primary: db, replicas: direct },
    async open(urls = servers.map(({ url }) => url), maxLagMs = 10_000) {
      const changes: ReplicaState[] = [];
      const replicas = await ReadReplicas.open({
        primary: db,
        primaryUrl: primary.url,
        urls,
        maxLagMs,
        pool: POOL,
        onChange: (state) => changes.push(state),
        onBlind: () => {},
      });
      opened.push(replicas);
      return { replicas, changes, read: () => newestIn(replicas.recorded) };
    },
    async stop() {
      await Promise.all(opened.map((each) => each.close()));
      await Promise.all([db, ...direct].map((each) => each.close()));
      for (const server of [...servers, primary]) server.remove();
    },
  };
}

export async function write(db: Database, n: number): Promise<void> {
  await db.run('INSERT INTO mark VALUES ($1::bigint)', [n]);
}

async function newestIn(db: Database): Promise<{ newest: number; port: number }> {
  const [row] = await db.rows('SELECT max(n)::integer AS newest, inet_server_port() AS port FROM mark');
  return { newest: Number(row?.newest), port: Number(row?.port) };
}
