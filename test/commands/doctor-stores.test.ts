import net from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDatabase, checkRedis } from '../../src/cli/doctor/stores.ts';
import {
  NO_POSTGRES,
  skipPostgres,
  startTestPostgres,
  type TestPostgres,
} from '../support/databases/postgres-server.ts';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';

const TIMEOUT_MS = 3_000;
const servers: net.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that writes one reply per chunk received, whatever the chunk holds. */
async function scripted(...replies: readonly (string | Buffer)[]): Promise<number> {
  const server = net.createServer((socket) => {
    const left = [...replies];
    socket.on('data', () => {
      const next = left.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', () => undefined);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as net.AddressInfo).port;
}

const pgMessage = (type: string, body: Buffer) => {
  const head = Buffer.from(`${type}0000`);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const pgError = (code: string) => pgMessage('E', Buffer.from(`SFATAL\0C${code}\0Mno, user operator\0\0`));
const PASSWORD_REQUEST = pgMessage('R', Buffer.from([0, 0, 0, 3]));

describe.skipIf(skipRedis)(`doctor with a real Redis${NO_REDIS}`, () => {
  let redis: TestRedis;

  beforeAll(async () => {
    redis = await startTestRedis();
  });

  afterAll(() => redis?.kill());

  it('reports that it answers', async () => {
    expect(await checkRedis(`${redis.url}/0`, TIMEOUT_MS)).toMatchObject({
      level: 'ok',
      says: 'Redis answers.',
    });
  });

  it('reports a refused user', async () => {
    const url = `redis://operator:pass-word-1@127.0.0.1:${redis.port}`;
    expect(await checkRedis(url, TIMEOUT_MS)).toMatchObject({
      level: 'fault',
      says: 'Redis does not work: it refuses the user or password. Check REDIS_URL.',
    });
  });

  it('reports a database that does not exist', async () => {
    expect((await checkRedis(`${redis.url}/99`, TIMEOUT_MS)).says).toContain('it refuses (ERR)');
  });

  it('reports a missing password, and accepts the right one', async () => {
    const admin = new Redis(redis.url);
    await admin.config('SET', 'requirepass', 'pass-word-1');
    try {
      expect((await checkRedis(redis.url, TIMEOUT_MS)).says).toContain('it requires a password');
      const url = `redis://:pass-word-1@127.0.0.1:${redis.port}`;
      expect((await checkRedis(url, TIMEOUT_MS)).level).toBe('ok');
    } finally {
      await admin.config('SET', 'requirepass', '');
      admin.disconnect();
    }
  });
});

describe.skipIf(skipPostgres)(`doctor with a real PostgreSQL${NO_POSTGRES}`, () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startTestPostgres();
  });

  afterAll(() => postgres?.remove());

  it('reports the version', async () => {
    for (const mode of ['', '?sslmode=disable']) {
      expect(await checkDatabase(postgres.url + mode, TIMEOUT_MS)).toMatchObject({
        level: 'ok',
        says: expect.stringMatching(/^PostgreSQL \d+(\.\d+)? accepts the connection/),
      });
    }
  });

  it('reports a database that does not exist', async () => {
    const url = new URL(postgres.url);
    url.pathname = '/nowhere-to-be-found';
    expect(await checkDatabase(url.href, TIMEOUT_MS)).toMatchObject({
      level: 'fault',
      says: 'PostgreSQL does not work: the database does not exist. Check DATABASE_URL.',
    });
  });

  it('reports missing encryption where the URL demands it', async () => {
    const { says } = await checkDatabase(`${postgres.url}?sslmode=require`, TIMEOUT_MS);
    expect(says).toContain('it refuses (no encryption)');
  });
});

describe('doctor with stores that fail', () => {
  it('reports a closed port', async () => {
    const port = await scripted();
    servers.splice(0)[0]?.close();
    expect((await checkRedis(`redis://127.0.0.1:${port}`, TIMEOUT_MS)).says).toContain('(ECONNREFUSED)');
    expect((await checkDatabase(`postgres://127.0.0.1:${port}/x`, TIMEOUT_MS)).says).toContain(
      '(ECONNREFUSED)',
    );
  });

  it('reports a server that never answers, within the timeout', async () => {
    const port = await scripted();
    expect((await checkRedis(`redis://127.0.0.1:${port}`, 100)).says).toContain('(ETIMEDOUT)');
    expect((await checkDatabase(`postgres://127.0.0.1:${port}/x`, 100)).says).toContain('(ETIMEDOUT)');
  });

  it('reports a refused password without the user, the password or the host', async () => {
    const port = await scripted(PASSWORD_REQUEST, pgError('28P01'));
    const finding = await checkDatabase(`postgres://operator:pass-word-1@127.0.0.1:${port}/x`, TIMEOUT_MS);
    expect(finding.says).toBe(
      'PostgreSQL does not work: it refuses the user or password. Check DATABASE_URL.',
    );
  });
});
