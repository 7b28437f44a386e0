import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';

/** First column in the key of each table: the series, or the address that the rows belong to. */
const SERIES = {
  vault_point: 'vault_id',
  reserve_point: 'reserve_id',
  market_point: 'market_id',
  price_point: 'mint_id',
  reward_point: 'deposit_reserve_id',
  leverage_point: 'market_id',
  loan_point: 'market_id',
  obligation_entry: 'market_id',
  collateral_use: 'market_id',
  vault_event: 'vault_id',
  lending_event: 'obligation_id',
  allocation_event: 'vault_id',
  farm_event: 'farm_id',
  queue_event: 'ticket_id',
  ingest_cursor: 'address_id',
  ingest_missing: 'address_id',
  alert_delivery: 'alert_id',
};
/** Small tables that every node can have whole. */
const WHOLE = [
  'subject',
  'reserve_config',
  'snapshot',
  'tidied',
  'recorder_lease',
  'recorder_heartbeat',
  'ingest_lock',
  'ingest_problem',
  'ingest_slots',
  'import_cursor',
  'api_key',
  'alert',
  'alert_registry',
];

/** Constructs that Citus or YugabyteDB do not run, or that are bound to one session or node. */
const FORBIDDEN = [
  /\bctid\b/i,
  /\bxm(in|ax)\b/,
  /\bpg_(try_)?advisory_(un)?lock/i,
  /\bLOCK TABLE\b/,
  /\b(LISTEN|NOTIFY) \w/,
  /\bCREATE (TEMP|UNLOGGED|TRIGGER|RULE|MATERIALIZED)\b/,
  /\bDEFERRABLE\b/,
  /\bMERGE INTO\b/,
  /\bWITH RECURSIVE\b/,
];

async function filesIn(folder: string, ending: string): Promise<string[]> {
  const root = new URL(`../../${folder}/`, import.meta.url);
  const names = await readdir(root, { recursive: true });
  const wanted = names.filter((name) => name.endsWith(ending) && !name.startsWith('store/generated'));
  return Promise.all(wanted.map((name) => readFile(new URL(name, root), 'utf8')));
}

describe('the SQL of gateway and recorder', () => {
  it('has no construct that a distributed PostgreSQL lacks', async () => {
    const texts = [...(await filesIn('src', '.ts')), ...(await filesIn('prisma/migrations', '.sql'))];
    expect(texts.length).toBeGreaterThan(100);
    const found = FORBIDDEN.flatMap((construct) =>
      texts.filter((text) => construct.test(text)).map(() => construct),
    );
    expect(found).toEqual([]);
  });
});

describe.each(databases())('the schema on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  it('has keys that begin with the series', async () => {
    const rows = await history.db.rows(
      `SELECT c.relname::text AS table, a.attname::text AS first
       FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`,
    );
    const firsts = new Map(rows.map(({ table, first }) => [String(table), String(first)]));
    expect([...firsts.keys()].sort()).toEqual([...Object.keys(SERIES), ...WHOLE].sort());
    expect(Object.fromEntries([...firsts].filter(([table]) => !WHOLE.includes(table)))).toEqual(SERIES);
  });

  it('has only B-tree indexes, and no foreign keys or triggers', async () => {
    const methods = await history.db.rows(
      `SELECT DISTINCT m.amname::text AS method FROM pg_class c JOIN pg_am m ON m.oid = c.relam
       WHERE c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace`,
    );
    expect(methods).toEqual([{ method: 'btree' }]);
    expect(
      await history.db.rows("SELECT conname FROM pg_constraint WHERE contype NOT IN ('p', 'u', 'c', 'n')"),
    ).toEqual([]);
    expect(await history.db.rows('SELECT tgname FROM pg_trigger')).toEqual([]);
  });
});
