import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import type { ReadReplicas } from '../../src/store/replicas/read-replicas.ts';
import { startTcpProxy } from '../support/client/tcp-proxy.ts';
import {
  NO_POSTGRES,
  skipPostgres,
  startTestPostgres,
  startTestReplica,
} from '../support/databases/postgres-server.ts';
import {
  type OpenReplicas,
  portOf,
  type ReplicatedWorld,
  startReplicatedWorld,
  write,
} from '../support/databases/replicated-world.ts';

const PATIENT = { timeout: 120_000, interval: 50 };
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function world(count: number): Promise<ReplicatedWorld> {
  const started = await startReplicatedWorld(count);
  endings.push(() => started.stop());
  return started;
}

const stateOf = (replicas: ReadReplicas, index = 0) => replicas.state().replicas[index];

const untilInUse = (replicas: ReadReplicas, index = 0) =>
  expect.poll(() => stateOf(replicas, index)?.inUse, PATIENT).toBe(true);

const untilReason = (replicas: ReadReplicas, reason: string) =>
  expect.poll(() => stateOf(replicas)?.reason, PATIENT).toBe(reason);

/** Writes and reads all the time. Every read must succeed, and none may return less than one that ended before it began. */
function traffic(on: ReplicatedWorld['on'], { read }: OpenReplicas) {
  const seen = { shown: 0, reads: 0, wentBack: [] as string[], failures: [] as unknown[] };
  const ports = new Set<number>();
  let ends = false;
  const writing = (async () => {
    for (let n = 2; !ends; n += 1) {
      await write(on.primary, n);
      await sleep(1);
    }
  })();
  const reader = async () => {
    while (!ends) {
      const before = seen.shown;
      try {
        const { newest, port } = await read();
        if (newest < before) seen.wentBack.push(`${before} to ${newest} on ${port}`);
        seen.shown = Math.max(seen.shown, newest);
        seen.reads += 1;
        ports.add(port);
      } catch (error) {
        seen.failures.push(error);
      }
      await sleep(1);
    }
  };
  const reading = Promise.all([reader(), reader(), reader()]);
  return {
    seen,
    /** Ports that answered since it was last called. */
    answered() {
      const since = [...ports];
      ports.clear();
      return since;
    },
    async end() {
      ends = true;
      await Promise.all([writing, reading]);
      expect(seen.failures).toEqual([]);
      expect(seen.wentBack).toEqual([]);
      expect(seen.reads).toBeGreaterThan(100);
    },
  };
}

const untilAnsweredBy = (running: ReturnType<typeof traffic>, port: number) =>
  expect
    .poll(async () => {
      running.answered();
      await sleep(100);
      return running.answered();
    }, PATIENT)
    .toEqual([port]);

describe.skipIf(skipPostgres)(`read replicas${NO_POSTGRES}`, () => {
  it('answer recorded reads; writes, transactions and models go to the primary', async () => {
    const { open, primary, servers, on } = await world(1);
    const { replicas, read } = await open();
    await untilInUse(replicas);
    const db = replicas.recorded;
    expect(await read()).toEqual({ newest: 1, port: portOf(servers[0] ?? primary) });
    expect(await db.run('INSERT INTO mark VALUES (2)')).toBe(1);
    expect(await on.primary.rows('SELECT max(n)::integer AS n FROM mark')).toEqual([{ n: 2 }]);
    const port = 'SELECT inet_server_port() AS port';
    expect(await db.transaction((tables) => tables.rows(port))).toEqual([{ port: portOf(primary) }]);
    await db.models.subject.create({ data: { address: 'one' } });
    expect(await db.models.subject.count()).toBe(1);
    expect(stateOf(replicas)).toMatchObject({
      status: 'good',
      reads: 1,
      failures: 0,
      lagBytes: expect.any(Number),
    });
    expect(replicas.state().primaryReads).toBe(0);
  });

  it('are fresh while nothing is written', async () => {
    const { open } = await world(1);
    const { replicas } = await open(undefined, 3_000);
    await untilInUse(replicas);
    // Far longer than the limit: nothing is committed, and the time of the last transaction grows old.
    await sleep(5_000);
    await expect
      .poll(() => stateOf(replicas), PATIENT)
      .toMatchObject({ status: 'good', inUse: true, lagBytes: 0 });
  });

  it('that lag are left for the primary, and taken again, without a read going back', async () => {
    const { open, primary, servers, on } = await world(1);
    const opened = await open(undefined, 1_500);
    const [replica] = on.replicas;
    const port = portOf(servers[0] ?? primary);
    await untilInUse(opened.replicas);
    const running = traffic(on, opened);
    for (let round = 0; round < 3; round += 1) {
      await untilAnsweredBy(running, port);
      await replica?.rows('SELECT pg_wal_replay_pause()::text');
      await untilAnsweredBy(running, portOf(primary));
      const { lagMs, lagBytes, inUse } = stateOf(opened.replicas) ?? {};
      expect(lagMs).toBeGreaterThan(1_500);
      expect(lagBytes).toBeGreaterThan(0);
      expect(inUse).toBe(false);
      await replica?.rows('SELECT pg_wal_replay_resume()::text');
    }
    await untilAnsweredBy(running, port);
    await running.end();
  });

  it('that are killed are left for another one or the primary, and taken again', async () => {
    const { open, primary, servers, on } = await world(2);
    const opened = await open();
    await expect.poll(() => opened.replicas.state().replicas.some(({ inUse }) => inUse), PATIENT).toBe(true);
    const running = traffic(on, opened);
    for (let round = 0; round < 4; round += 1) {
      await expect
        .poll(
          () => opened.replicas.state().replicas.filter(({ status }) => status === 'good').length,
          PATIENT,
        )
        .toBe(2);
      await expect
        .poll(() => opened.replicas.state().replicas.findIndex(({ inUse }) => inUse), PATIENT)
        .toBeGreaterThanOrEqual(0);
      const used = opened.replicas.state().replicas.findIndex(({ inUse }) => inUse);
      const [killed, other] = [servers[used], servers[1 - used]];
      killed?.killHard();
      await untilAnsweredBy(running, portOf(other ?? primary));
      if (round === 1) {
        other?.killHard();
        await untilAnsweredBy(running, portOf(primary));
        other?.start();
      }
      killed?.start();
    }
    await running.end();
  });

  it('that are all down leave the primary alone', async () => {
    const { open, primary, servers } = await world(1);
    servers[0]?.killHard();
    const { replicas, read, changes } = await open();
    for (let i = 0; i < 20; i += 1) expect(await read()).toEqual({ newest: 1, port: portOf(primary) });
    await untilReason(replicas, 'ECONNREFUSED');
    expect(changes.map(({ status }) => status)).toEqual(['failing']);
    expect(replicas.state().primaryReads).toBe(20);
  });

  it('that go silent leave their reads to the primary', async () => {
    const { open, primary, servers } = await world(1);
    const target = new URL(servers[0]?.url ?? '');
    const proxy = await startTcpProxy(`http://${target.host}`);
    endings.push(() => proxy.close());
    const { replicas, read } = await open([target.href.replace(target.host, new URL(proxy.url).host)]);
    await untilInUse(replicas);
    expect(await read()).toEqual({ newest: 1, port: portOf(servers[0] ?? primary) });
    proxy.silence();
    expect(await read()).toEqual({ newest: 1, port: portOf(primary) });
    expect(stateOf(replicas)).toMatchObject({ reads: 1, inUse: false });
    proxy.cut();
  });

  it('that cancel a read for the replayed log leave it to the primary', async () => {
    const { open, primary, on } = await world(1);
    const [replica] = on.replicas;
    await replica?.run("ALTER SYSTEM SET max_standby_streaming_delay = '10ms'");
    await replica?.rows('SELECT pg_reload_conf()::text');
    const { replicas } = await open();
    await untilInUse(replicas);
    const reading = replicas.recorded.rows(
      'SELECT inet_server_port() AS port FROM mark, pg_sleep(3) WHERE n = 1 OR (SELECT count(*) FROM mark) < 0',
    );
    await expect
      .poll(
        () =>
          replica?.rows(
            "SELECT 1 AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3) WHERE%' AND wait_event = 'PgSleep'",
          ),
        PATIENT,
      )
      .toEqual([{ n: 1 }]);
    await on.primary.run('INSERT INTO mark SELECT generate_series(100, 20000)');
    await on.primary.run('DELETE FROM mark WHERE n >= 100');
    await on.primary.run('VACUUM mark');
    expect(await reading).toEqual([{ port: portOf(primary) }]);
    expect(stateOf(replicas)).toMatchObject({ status: 'good', failures: 1 });
    await untilInUse(replicas);
  });

  it('that are promoted are refused', async () => {
    const { open, primary, on } = await world(1);
    const { replicas, read, changes } = await open();
    await untilInUse(replicas);
    await on.replicas[0]?.rows('SELECT pg_promote()::text');
    await untilReason(replicas, 'it is not a replica, or was promoted');
    expect(await read()).toEqual({ newest: 1, port: portOf(primary) });
    expect(changes.at(-1)).toMatchObject({ name: 'replica-1', status: 'refused', inUse: false });
  });

  it('of another primary, another database or another schema are refused', async () => {
    const { open, primary, servers, on } = await world(1);
    const other = await startTestPostgres();
    endings.push(() => other.remove());
    const [unrelated, itself] = [await open([other.url]), await open([primary.url])];
    await untilReason(itself.replicas, 'it is not a replica, or was promoted');
    await untilReason(unrelated.replicas, 'it lacks the tables of the primary');
    const foreign = await startTestReplica(other);
    endings.push(() => foreign.remove());
    await migrate(other.url);
    const related = await open([foreign.url]);
    await untilReason(related.replicas, 'it is a replica of another primary');
    await on.primary.run('CREATE DATABASE staging TEMPLATE template0');
    const staging = await open([(servers[0]?.url ?? '').replace(/postgres$/, 'staging')]);
    await untilReason(staging.replicas, 'it lacks the tables of the primary');
    // A migration that the replica has not replayed.
    const { replicas, read } = await open();
    await untilInUse(replicas);
    await on.replicas[0]?.rows('SELECT pg_wal_replay_pause()::text');
    await on.primary.run("UPDATE _prisma_migrations SET checksum = 'next'");
    await untilReason(replicas, 'its schema is not that of the primary');
    expect(await read()).toEqual({ newest: 1, port: portOf(primary) });
    await on.replicas[0]?.rows('SELECT pg_wal_replay_resume()::text');
    await untilInUse(replicas);
  });

  it('go on answering while the primary is down, until they are too old', async () => {
    const { open, primary, servers } = await world(1);
    const { replicas, read } = await open(undefined, 10_000);
    await untilInUse(replicas);
    primary.killHard();
    expect(await read()).toEqual({ newest: 1, port: portOf(servers[0] ?? primary) });
    await expect
      .poll(() => read().catch(({ code }: { code: string }) => code), PATIENT)
      .toBe('HISTORY_UNAVAILABLE');
    primary.start();
    await untilInUse(replicas);
    expect((await read()).port).toBe(portOf(servers[0] ?? primary));
  });

  it('keep their URLs to themselves', async () => {
    const { open, servers } = await world(1);
    const url = new URL(servers[0]?.url ?? '');
    url.username = 'nobody';
    url.password = 'hunter2';
    const { replicas, changes } = await open([url.href]);
    await expect.poll(() => stateOf(replicas)?.status, PATIENT).toBe('failing');
    expect(JSON.stringify([changes, replicas.state()])).not.toMatch(/hunter2|nobody|127\.0\.0\.1/);
  });
});
