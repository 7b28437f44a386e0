import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCatalogue } from '../../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../src/config/catalogue/format.ts';
import { TextStream } from '../../src/rest/operation/text-stream.ts';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { Platform } from '../../src/services/platform/platform.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Database } from '../../src/store/sql.ts';
import { type RecordedWorld, startRecordedWorld } from '../support/contract/recorded-app.ts';
import { type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

const TIMES = 3;
const READS = OPERATIONS.filter(({ method }) => method === 'get');

let world: RecordedWorld;
let site: SocketSite;
let db: Database;
let platform: Platform;
beforeAll(async () => {
  world = await startRecordedWorld();
  site = await serveOnSocket(world.gateway.app);
  db = await openDatabase({ url: world.databaseUrl, poolSize: 2, statementTimeoutMs: 20_000 });
  platform = new Platform({
    chain: world.gateway.app.chain,
    catalogue: parseCatalogue(
      worldCatalogue(world.localChain.worldChain.world, Date.UTC(2026, 5, 1)) as CatalogueInput,
      'the test',
    ),
    history: {
      database: () => db,
      state: () => ({ status: 'ready', doing: null, percent: null, leading: null, lagMs: null }),
    },
  });
});
afterAll(async () => {
  await db?.close();
  await site?.close();
  await world?.stop();
});

const session = () => platform.openSession({ signal: AbortSignal.timeout(20_000) });

describe('what a REST answer depends on', () => {
  it.each(READS)('$path is what the route table says, each time', async (operation) => {
    const { params = {}, query = {} } = operation.example(world.localChain.addresses);
    const { run } = operation.accept({ params, query, body: {} });
    const recorded: boolean[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const opened = await session();
      const answer = await run({
        session: opened,
        platform,
        baseUrl: 'http://sluice.test',
        part: (next) => next(opened),
      });
      if (answer instanceof TextStream) await answer.text();
      recorded.push(opened.isFixedByView);
    }
    // Without a stream no View has positions.
    const isFixed = operation.holds === 'view' || operation.holds === 'day';
    expect(recorded).toEqual(Array(TIMES).fill(isFixed));
  });

  it('is what the caches are told, each time', async () => {
    const { vault, wallet, market } = world.localChain.addresses;
    const paths: [string, RegExp, boolean][] = [
      [`/kvaults/vaults/${vault}/metrics`, /^public/, true],
      [`/svc-market/${market}/reserves/metrics`, /^public/, true],
      [`/kvaults/vaults/${vault}/metrics/history`, /^private/, false],
      [`/kvaults/users/${wallet}/positions`, /^private/, false],
    ];
    for (const [path, cacheControl, isCached] of paths) {
      const answers = [await site.get(path), await site.get(path), await site.get(path)];
      for (const { status, headers } of answers) {
        expect(status, path).toBe(200);
        expect(headers['cache-control'], path).toMatch(cacheControl);
      }
      expect(
        answers.map(({ cached }) => cached),
        path,
      ).toEqual([false, isCached, isCached]);
    }
  });
});

describe('what a GraphQL answer depends on', () => {
  const vault = (fields: string) => `{ vault(address: "${world.localChain.addresses.vault}") { ${fields} } }`;

  it.each([
    ['the View', 'name'],
    ['a yield that is read once per View', 'realisedInterestApy(over: D7) { apy }'],
    ['a count that is read once per View', 'holders'],
  ])('%s: the second answer comes from the cache, and so does the third', async (_, fields) => {
    const body = JSON.stringify({ query: vault(fields) });
    const answers = [await site.post(body), await site.post(body), await site.post(body)];
    expect(JSON.parse(answers[0]?.text ?? '').errors).toBeUndefined();
    expect(answers.map(({ cached }) => cached)).toEqual([false, true, true]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it.each([
    ['a series', 'metricsHistory(range: {}) { points { timestamp } }'],
    ['a series beside a fact of the View', 'holders metricsHistory(range: {}) { points { timestamp } }'],
  ])('%s: no answer comes from the cache', async (_, fields) => {
    const body = JSON.stringify({ query: vault(fields) });
    const answers = [await site.post(body), await site.post(body), await site.post(body)];
    expect(JSON.parse(answers[0]?.text ?? '').errors).toBeUndefined();
    expect(answers.map(({ cached }) => cached)).toEqual([false, false, false]);
  });
});
