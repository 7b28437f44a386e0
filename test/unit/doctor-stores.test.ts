import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerScram } from '../../src/cli/doctor/scram.ts';
import { checkDatabase, checkRedis } from '../../src/cli/doctor/stores.ts';

const TIMEOUT_MS = 3_000;
const servers: net.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function reachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, timeout: 1_000 });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('timeout', () => done(false));
  });
}

/** A server that says one thing after another, whatever it hears. */
async function saying(...replies: readonly (string | Buffer)[]): Promise<number> {
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

// Where the tests must be complete, an absent server is a failure and not a reason to skip.
const must = process.env.CI === 'true';
const haveRedis = must || (await reachable(6379));
const havePostgres = must || (await reachable(5432));

describe.skipIf(!haveRedis)(
  `a real Redis${haveRedis ? '' : ' (skipped: nothing listens on port 6379)'}`,
  () => {
    it('answers', async () => {
      expect(await checkRedis('redis://127.0.0.1:6379/0', TIMEOUT_MS)).toMatchObject({
        level: 'ok',
        says: 'Redis answers.',
      });
    });

    it('refuses a user that it does not know', async () => {
      const finding = await checkRedis('redis://operator:pass-word-1@127.0.0.1:6379', TIMEOUT_MS);
      expect(finding).toMatchObject({
        level: 'fault',
        says: 'Redis does not work: it refuses the user or password. Check REDIS_URL.',
      });
    });
  },
);

describe.skipIf(!havePostgres)(
  `a real PostgreSQL${havePostgres ? '' : ' (skipped: nothing listens on port 5432)'}`,
  () => {
    const good = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

    it('lets us in, encrypted or not, and tells its version', async () => {
      for (const mode of ['', '?sslmode=disable']) {
        const finding = await checkDatabase(good + mode, TIMEOUT_MS);
        expect(finding).toMatchObject({
          level: 'ok',
          says: expect.stringMatching(/^PostgreSQL \d+(\.\d+)? lets us in/),
        });
      }
    });

    it('knows no such database', async () => {
      const url = new URL(good);
      url.pathname = '/nowhere-to-be-found';
      expect(await checkDatabase(url.href, TIMEOUT_MS)).toMatchObject({
        level: 'fault',
        says: 'PostgreSQL does not work: the database does not exist. Check DATABASE_URL.',
      });
    });
  },
);

describe('stores that refuse', () => {
  it('nothing that listens', async () => {
    const port = await saying();
    servers.splice(0)[0]?.close();
    expect((await checkRedis(`redis://127.0.0.1:${port}`, TIMEOUT_MS)).says).toContain('(ECONNREFUSED)');
    expect((await checkDatabase(`postgres://127.0.0.1:${port}/x`, TIMEOUT_MS)).says).toContain(
      '(ECONNREFUSED)',
    );
  });

  it('something that listens and is silent', async () => {
    const port = await saying();
    expect((await checkRedis(`redis://127.0.0.1:${port}`, 100)).says).toContain('(ETIMEDOUT)');
  });

  it('Redis that wants a password', async () => {
    const port = await saying('-NOAUTH Authentication required.\r\n');
    expect((await checkRedis(`redis://127.0.0.1:${port}`, TIMEOUT_MS)).says).toContain('it wants a password');
  });

  it('PostgreSQL that refuses the password', async () => {
    const port = await saying('N', pgMessage('R', Buffer.from([0, 0, 0, 3])), pgError('28P01'));
    const finding = await checkDatabase(`postgres://operator:pass-word-1@127.0.0.1:${port}/x`, TIMEOUT_MS);
    expect(finding.says).toBe(
      'PostgreSQL does not work: it refuses the user or password. Check DATABASE_URL.',
    );
  });

  it('PostgreSQL without encryption where it is demanded', async () => {
    const port = await saying('N');
    const finding = await checkDatabase(`postgres://127.0.0.1:${port}/x?sslmode=require`, TIMEOUT_MS);
    expect(finding.says).toContain('it refuses (no encryption)');
  });
});

describe('SCRAM-SHA-256', () => {
  it('answers as in the example of RFC 7677', () => {
    const challenge =
      'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';
    expect(answerScram('pencil', 'n=user,r=rOprNGfwEbeRWgbNEkqO', challenge)).toEqual({
      message:
        'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
      serverSignature: '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
    });
  });

  it('does not answer what is no challenge', () => {
    expect(answerScram('pencil', 'n=,r=x', 'e=other-error')).toBeNull();
    expect(answerScram('pencil', 'n=,r=x', 'r=x,s=eA==,i=0')).toBeNull();
  });
});
