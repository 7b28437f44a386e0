import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReplicas } from '../../src/cli/doctor/replicas.ts';
import {
  NO_POSTGRES,
  skipPostgres,
  startTestPostgres,
  type TestPostgres,
} from '../support/databases/postgres-server.ts';
import { type ReplicatedWorld, startReplicatedWorld, write } from '../support/databases/replicated-world.ts';

describe.skipIf(skipPostgres)(`doctor with read replicas${NO_POSTGRES}`, () => {
  let world: ReplicatedWorld;
  let stranger: TestPostgres;

  beforeAll(async () => {
    [world, stranger] = [await startReplicatedWorld(1), await startTestPostgres()];
  });

  afterAll(async () => {
    await world?.stop();
    stranger?.remove();
  });

  const check = (url: string | null, ...urls: readonly string[]) =>
    checkReplicas({
      DATABASE_URL: url,
      DATABASE_READ_URLS: urls,
      DATABASE_READ_MAX_LAG_MS: 3_000,
      RPC_TIMEOUT_MS: 3_000,
    });
  const replica = () => world.servers[0]?.url ?? '';

  it('says nothing where none is configured', async () => {
    expect([await check(null), await check(world.primary.url)]).toEqual([[], []]);
  });

  it('finds a replica that replays', async () => {
    expect(await check(world.primary.url, replica())).toEqual([
      {
        level: 'ok',
        subject: 'replica-1',
        check: 'replicates',
        says: expect.stringMatching(/^It had everything of the primary within \d+ ms\.$/),
        figures: { lagMs: expect.any(Number) },
      },
    ]);
  });

  it('finds one that lags', async () => {
    const [paused] = world.on.replicas;
    await paused?.rows('SELECT pg_wal_replay_pause()::text');
    await write(world.on.primary, 2);
    const [finding] = await check(world.primary.url, replica());
    expect(finding).toMatchObject({ level: 'warning', figures: { lagBytes: expect.any(Number) } });
    await paused?.rows('SELECT pg_wal_replay_resume()::text');
  });

  it('names each that is unsuitable, and none by its URL', async () => {
    const findings = await check(
      world.primary.url,
      world.primary.url,
      stranger.url,
      'postgresql://nobody:hunter2@127.0.0.1:9/postgres',
    );
    expect(findings.map(({ subject, level, says }) => [subject, level, says])).toEqual([
      ['replica-1', 'fault', expect.stringContaining('it is not a replica, or was promoted')],
      ['replica-2', 'fault', expect.stringContaining('It lacks the tables of the primary')],
      ['replica-3', 'fault', expect.stringContaining('(ECONNREFUSED)')],
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|nobody|127\.0\.0\.1/);
  });

  it('finds a primary that is a replica, or empty', async () => {
    expect((await check(replica(), replica()))[0]?.says).toContain('DATABASE_URL names a replica');
    expect((await check(stranger.url, replica()))[0]?.says).toContain('has no tables yet');
  });
});
