import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runRecorder } from '../../src/cli/recorder/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { NO_REDIS, skipRedis } from '../support/databases/redis-server.ts';
import { type OpenTestDatabase, postgres } from '../support/databases/test-databases.ts';
import { FEED_SECRET } from '../support/feed/fed-chain.ts';
import { FeedWorld, PATIENT } from '../support/feed/feed-world.ts';
import { recordedMinutes } from '../support/history/read-points.ts';
import { FaultyProxy } from '../support/rpc/faulty-proxy.ts';
import { status } from '../support/rpc/misbehaviours.ts';

const SLOTS_PER_MINUTE = 150;
const MINUTE_MS = 60_000;

const RpcCall = z.object({ params: z.tuple([z.array(z.string())]).rest(z.unknown()) });
const readsClockOnly = (body: Buffer) =>
  RpcCall.parse(JSON.parse(body.toString())).params[0].every((address) => address === CLOCK_SYSVAR);

describe.skipIf(skipRedis).each(postgres())(
  `a recorder that follows a gateway, on $name${NO_REDIS}`,
  (kind) => {
    let world: FeedWorld;
    let database: OpenTestDatabase;
    let rpc: FaultyProxy;
    let recording: Promise<void>;
    const stop = new AbortController();

    beforeAll(async () => {
      world = await FeedWorld.start(PATIENT);
      await world.add('reader');
      database = await kind.open();
      await migrate(database.url);
      rpc = await FaultyProxy.start(world.rpcUrl);
      // It can read no account but the clock, which confirms that the chain has jumped by minutes.
      rpc.misbehave((exchange) =>
        exchange.method === 'getMultipleAccounts' && !readsClockOnly(exchange.body)
          ? status(500)(exchange)
          : exchange.pass(),
      );
      const config = loadConfig({
        SOLANA_RPC_URLS: rpc.url,
        SOLANA_CLUSTER: 'localnet',
        REDIS_URL: world.redis.url,
        STREAM_SECRET: FEED_SECRET,
        DATABASE_URL: database.url,
        LOG_LEVEL: 'silent',
      });
      recording = runRecorder(config, { kind: 'record' }, () => undefined, stop.signal);
    });
    afterAll(async () => {
      stop.abort();
      await recording;
      await rpc?.die();
      await world?.stop();
      await database?.close();
    });

    it('records the Views of the reader', async () => {
      const db = await openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 60_000 });
      try {
        const untilRecorded = async () => {
          const { localChain } = world;
          const minute =
            Math.floor(((localChain.blockTime(localChain.slot) ?? 0) * 1_000) / MINUTE_MS) * MINUTE_MS;
          await expect
            .poll(async () => (await recordedMinutes(db))?.last.getTime(), { timeout: 240_000 })
            .toBe(minute);
        };
        await untilRecorded();
        world.localChain.advance(SLOTS_PER_MINUTE);
        await untilRecorded();
      } finally {
        await db.close();
      }
    });
  },
);
