import { vi } from 'vitest';
import { TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { makeKey } from '../../../src/limits/keys/api-key.ts';
import { KeyDatabase } from '../../../src/limits/keys/key-database.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrate } from '../../../src/store/migrate.ts';
import type { Database } from '../../../src/store/sql.ts';
import { testApp } from '../apps/chain-app.ts';
import type { Answer, TestApp } from '../apps/test-app.ts';
import type { TestDatabase } from '../databases/test-databases.ts';
import { PricedChain } from './priced-chain.ts';

export const ALERT_ENV = {
  ALERT_SECRET: 'a secret of the tests that has more than 32 characters',
  ALERT_PRIVATE_RECEIVERS: 'on',
  ALERT_MIN_INTERVAL_SECONDS: '0',
  PUBLIC_URL: 'https://gateway.example',
  DRIFT_INTERVAL_MS: '0',
  // Views that a message names stay readable while a test looks at it.
  VIEWS_KEPT: '100',
};

export interface ListedDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

export interface ListedAlert {
  readonly id: string;
  readonly state: string;
  readonly value: string | null;
  readonly deliveries: readonly ListedDelivery[];
}

export const isAllDelivered = ({ deliveries }: ListedAlert): boolean =>
  deliveries.every(({ status }) => status === 'DELIVERED');

const FIELDS = `id label url metric subject above below clearAt minIntervalSeconds paused state value slot
  deliveries(first: 20) { id sequence event status attempts lastError endedAt nextAttemptAt body }`;
const CREATE = `mutation ($input: CreateAlertInput!) { createAlert(input: $input) { secret alert { ${FIELDS} } } }`;

/** A gateway with alerts over a chain whose prices the test moves, and owners of keys. */
export interface AlertWorld {
  readonly localChain: PricedChain;
  readonly gateway: TestApp;
  readonly db: Database;
  readonly databaseUrl: string;
  /** Headers of the two owners. */
  readonly owner: Readonly<Record<string, string>>;
  readonly stranger: Readonly<Record<string, string>>;
  ask<T>(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<T>>;
  /** Registers an alert of the owner. */
  create(input: Readonly<Record<string, unknown>>): Promise<{ readonly id: string; readonly secret: string }>;
  list(): Promise<readonly ListedAlert[]>;
  /** Waits for an alert that matches. */
  alert(id: string, isAsWanted: (alert: ListedAlert) => boolean): Promise<ListedAlert>;
  stop(): Promise<void>;
}

export async function startAlertWorld(
  kind: TestDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<AlertWorld> {
  const database = await kind.openCopy('history', async (url) => void (await migrate(url)));
  const db = await openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 60_000 });
  const [owner, stranger] = await newKeys(database.url);
  const localChain = new PricedChain(new TestChain());
  const gateway = await testApp({
    chain: localChain.localChain,
    env: {
      ...ALERT_ENV,
      // Most of the time is spent waiting, for which the usual ten Views a second take too much of the processor.
      VIEW_REFRESH_MS: '250',
      DATABASE_URL: database.url,
      ...env,
    },
  });
  await vi.waitUntil(
    async () => (await (await gateway.get('/ready')).text()).includes('"history":{"status":"ready"'),
    { timeout: 120_000 },
  );
  const ask: AlertWorld['ask'] = (query, variables = {}, headers = owner) =>
    gateway.query(query, { variables, headers });
  const list = async () => {
    const { data, text } = await ask<{ alerts: ListedAlert[] } | null>(`{ alerts { ${FIELDS} } }`);
    if (!data) throw new Error(text);
    return data.alerts;
  };
  return {
    localChain,
    gateway,
    db,
    databaseUrl: database.url,
    owner,
    stranger,
    ask,
    list,
    async create(input) {
      const { data, text } = await ask<{ createAlert: { alert: ListedAlert; secret: string } } | null>(
        CREATE,
        { input },
      );
      if (!data) throw new Error(text);
      return { id: data.createAlert.alert.id, secret: data.createAlert.secret };
    },
    async alert(id, isAsWanted) {
      let found: ListedAlert | undefined;
      await vi.waitUntil(
        async () => {
          found = (await list()).find((each) => each.id === id);
          return found !== undefined && isAsWanted(found);
        },
        { timeout: 120_000, interval: 100 },
      );
      if (found === undefined) throw new Error(`there is no alert ${id}`);
      return found;
    },
    async stop() {
      await gateway.stop();
      await db.close();
      await database.close();
    },
  };
}

/** Two keys without limits, as headers. */
export async function newKeys(url: string): Promise<[Record<string, string>, Record<string, string>]> {
  const store = new KeyDatabase(url);
  const make = async (name: string) => {
    const { key, text } = makeKey({ name, limit: 0, origins: [] }, new Date());
    await store.add(key);
    return { authorization: `Bearer ${text}` };
  };
  const keys: [Record<string, string>, Record<string, string>] = [
    await make('owner'),
    await make('stranger'),
  ];
  await store.close();
  return keys;
}
