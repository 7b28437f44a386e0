import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { findGaps } from '../../src/store/history/gaps.ts';
import type { Database } from '../../src/store/sql.ts';
import { answerFaults, refusalFaults } from '../support/contract/answer-checks.ts';
import type { RestAnswer } from '../support/contract/contract-app.ts';
import { type ChangingRecordedWorld, startChangingRecordedWorld } from '../support/contract/recorded-app.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { FEED_SECRET } from '../support/feed/fed-chain.ts';
import { recordedMinutes } from '../support/history/read-points.ts';
import { faultsOf } from '../support/history/roll-up-check.ts';
import { OPERATION_ROWS } from '../support/operations/all.ts';
import type { Ask } from '../support/operations/operation-row.ts';
import { BACKEND_HEADER, RoundRobin } from '../support/processes/load-balancer.ts';
import { Member, untilReady } from '../support/processes/program-process.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const SLOTS_PER_MINUTE = 150;
const URL_SAID = /(http:\/\/127\.0\.0\.1:\d+)/;
const ASKS_PER_ROW = 6;
const CLIENTS = 4;
const MINUTES_AROUND_A_KILL = 2;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Outcome {
  readonly id: string;
  /** 0 when the connection broke. */
  readonly status: number;
  readonly backend: string | null;
}

/** Two gateways, one recorder, PostgreSQL, Redis and a load balancer, as compose.yaml describes, as processes. */
describe.each(postgres())('the topology of compose.yaml, over $name', () => {
  let folder: string;
  let world: ChangingRecordedWorld;
  let db: Database;
  let balancer: RoundRobin;
  let recorder: Member;
  let gateways: readonly Member[];
  let midnight: Date | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-topology-'));
    world = await startChangingRecordedWorld();
    const catalogue = join(folder, 'catalogue.json');
    writeFileSync(
      catalogue,
      JSON.stringify(worldCatalogue(world.localChain.worldChain.world, Date.UTC(2026, 5, 1))),
    );
    db = await openDatabase({ url: world.databaseUrl, poolSize: 1, statementTimeoutMs: 60_000 });
    const env = {
      SOLANA_RPC_URLS: world.proxy.url,
      SOLANA_CLUSTER: 'localnet',
      DATABASE_URL: world.databaseUrl,
      REDIS_URL,
      STREAM_SECRET: FEED_SECRET,
      CATALOGUE_FILE: catalogue,
      VIEW_REFRESH_MS: '1000',
      VAULT_REFRESH_MS: '1000',
      RATE_LIMIT: '1000000000',
      PUBLIC_URL: 'https://sluice.test',
      LOG_LEVEL: 'warn',
      PORT: '0',
    };
    balancer = await RoundRobin.start();
    recorder = new Member('recorder', 'recorder', env);
    gateways = ['gateway-1', 'gateway-2'].map((name) => new Member(name, 'main', env));
    for (const gateway of gateways) await startGateway(gateway);
    await recorder.start(/(recording)/);
  }, 600_000);

  afterAll(async () => {
    for (const member of [recorder, ...(gateways ?? [])]) await member?.kill();
    balancer?.close();
    await db?.close();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startGateway(gateway: Member): Promise<void> {
    const url = await gateway.start(URL_SAID);
    await untilReady(url);
    balancer.put(gateway.name, url);
  }

  async function ask({ url, body }: Ask): Promise<RestAnswer> {
    const response = await fetch(`${balancer.url}${url}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : {
            headers: { 'content-type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : null,
      text,
    };
  }

  it.each(OPERATION_ROWS)('keeps the contract: $method $path', async (row) => {
    const faults: Record<string, readonly string[]> = {};
    // One request of each row; the contract suite covers every subject.
    for (const each of row.requests(world.subjects).slice(0, ASKS_PER_ROW)) {
      const wrong = answerFaults(row, await ask(each));
      if (wrong.length > 0) faults[each.url] = wrong;
    }
    for (const refusal of row.refusals(world.subjects)) {
      const wrong = refusalFaults(row, refusal, await ask(refusal.ask));
      if (wrong.length > 0) faults[refusal.name] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('distributes the requests', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask({ url: '/health' })));
    expect(answers.map(({ headers }) => headers.get(BACKEND_HEADER)).sort()).toEqual([
      'gateway-1',
      'gateway-1',
      'gateway-2',
      'gateway-2',
    ]);
  });

  const newestMinute = async () => (await recordedMinutes(db))?.last.getTime() ?? 0;

  /** Each minute lasts until it is recorded, so a restarted recorder does not miss one. */
  async function untilRecorded(): Promise<void> {
    const { localChain } = world;
    const minute = Math.floor((localChain.blockTime(localChain.slot) ?? 0) / 60) * 60_000;
    while ((await newestMinute()) < minute) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async function passMinute(): Promise<void> {
    await untilRecorded();
    world.localChain.advance(SLOTS_PER_MINUTE);
    await untilRecorded();
  }

  /** From this midnight on, every hour and day is rolled up from minutes. */
  async function untilMidnight(): Promise<Date> {
    const { localChain } = world;
    const now = (localChain.blockTime(localChain.slot) ?? 0) * 1_000;
    const midnight = Math.ceil(now / DAY_MS) * DAY_MS;
    localChain.advance(Math.ceil(((midnight - now) / MINUTE_MS) * SLOTS_PER_MINUTE));
    await untilRecorded();
    return new Date(midnight);
  }

  const [history] = OPERATION_ROWS.filter(({ path }) => path === '/svc-market/{pubkey}/metrics/history');

  /** Answers to clients that send one request after another while `work` runs. */
  async function duringTraffic(work: () => Promise<void>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    let stopped = false;
    const asks: Ask[] = [
      { url: '/kvaults/vaults' },
      ...(history?.requests(world.subjects).slice(0, 1) ?? []),
      { url: '/graphql', body: { query: '{ vaults(first: 3) { nodes { name totalValue { usd } } } }' } },
      { url: `/kvaults/users/${world.subjects.addresses.wallet}/positions` },
    ];
    const client = async (offset: number) => {
      for (let i = offset; !stopped; i += 1) {
        const { url, body } = asks[i % asks.length] ?? { url: '/health' };
        const id = randomUUID();
        try {
          const response = await fetch(`${balancer.url}${url}`, {
            headers: { 'x-request-id': id, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          });
          await response.text();
          outcomes.push({ id, status: response.status, backend: response.headers.get(BACKEND_HEADER) });
        } catch {
          outcomes.push({ id, status: 0, backend: null });
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, i) => client(i));
    try {
      await work();
    } finally {
      stopped = true;
      await Promise.all(clients);
    }
    return outcomes;
  }

  it.each(['gateway-1', 'gateway-2', 'recorder'])('survives kill -9 of %s', async (name) => {
    const member = [recorder, ...gateways].find((each) => each.name === name);
    if (member === undefined) throw new Error(`there is no ${name}`);
    midnight ??= await untilMidnight();
    const first = await newestMinute();
    let flying: ReadonlySet<string> = new Set();
    const outcomes = await duringTraffic(async () => {
      await passMinute();
      // In the middle of a minute.
      world.localChain.advance(SLOTS_PER_MINUTE);
      await new Promise((resolve) => setTimeout(resolve, 150));
      const collected = balancer.collect(name);
      flying = collected.ids;
      await member.kill();
      collected.stop();
      if (member === recorder) await recorder.start(/(recording)/);
      else await new Promise((resolve) => setTimeout(resolve, 1_000));
      for (let i = 0; i < MINUTES_AROUND_A_KILL; i += 1) await passMinute();
      if (member !== recorder) await startGateway(member);
    });

    const failed = outcomes.filter(({ status }) => status !== 200);
    expect(failed.filter(({ id }) => !flying.has(id))).toEqual([]);
    // Each client sends one request at a time.
    expect(failed.length).toBeLessThanOrEqual(CLIENTS);
    if (member === recorder) expect(failed).toEqual([]);
    expect(outcomes.length - failed.length).toBeGreaterThan(20);
    expect(await findGaps(db, { start: new Date(first), end: new Date(await newestMinute()) })).toEqual([]);
    const [row] = await db.rows('SELECT count(*) - count(DISTINCT bucket) AS doubled FROM snapshot');
    expect(Number(row?.doubled)).toBe(0);
    expect(await faultsOf(db, midnight)).toEqual([]);
    const backends = (await Promise.all([1, 2].map(() => ask({ url: '/health' })))).map(({ headers }) =>
      headers.get(BACKEND_HEADER),
    );
    expect(backends.sort()).toEqual(['gateway-1', 'gateway-2']);
  });
});
