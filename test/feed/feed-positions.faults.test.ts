import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_REDIS, skipRedis, startTestRedis, type TestRedis } from '../support/databases/redis-server.ts';
import type { Order, ServedView } from '../support/feed/positions-process.ts';

const PROGRAM = fileURLToPath(new URL('../support/feed/positions-process.ts', import.meta.url));
const PATIENTLY = { timeout: 240_000, interval: 20 };

/** Digests of the positions of each View, by its id. All processes must have the same. */
const digests = new Map<string, string>();
const problems: string[] = [];

class Member {
  readonly #child: ChildProcess;
  newest: ServedView | null = null;
  /** Views with positions that it followed. */
  followed = 0;

  constructor(redisUrl: string) {
    this.#child = fork(PROGRAM, ['--redis', redisUrl], {
      execArgv: ['--conditions=@sluice/source', '--import', 'tsx'],
    });
    this.#child.on('message', (message) => {
      const served = message as ServedView;
      this.newest = served;
      const { id, digest, role } = served;
      if (digest === null) return;
      if (role === 'follower') this.followed += 1;
      const known = digests.get(id);
      if (known !== undefined && known !== digest) problems.push(`${id} has two states`);
      digests.set(id, digest);
    });
  }

  order(order: Order): void {
    this.#child.send(order);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

describe.skipIf(skipRedis)(`processes that share positions over Redis${NO_REDIS}`, () => {
  let redis: TestRedis;
  let members: Member[] = [];

  beforeAll(async () => {
    redis = await startTestRedis();
    members = [new Member(redis.url), new Member(redis.url), new Member(redis.url)];
  });
  afterEach(() => expect(problems).toEqual([]));
  afterAll(async () => {
    for (const member of members) await member.kill();
    await redis?.kill();
  });

  /** Waits until one reads, and the others follow its Views, which have positions. */
  async function agree(): Promise<Member> {
    const before = members.map(({ followed }) => followed);
    let reader: Member | undefined;
    await vi.waitUntil(() => {
      reader = members.find(({ newest }) => newest?.role === 'reader');
      const origins = new Set(members.map(({ newest }) => newest?.id.split('-')[0]));
      const isFollowed = members.every(
        (each, i) => each === reader || (each.newest?.digest && each.followed > (before[i] ?? 0) + 3),
      );
      return reader !== undefined && origins.size === 1 && isFollowed;
    }, PATIENTLY);
    return reader ?? expect.fail('nobody reads');
  }

  const loadsOf = (some: readonly Member[]) => some.map(({ newest }) => newest?.loads);

  it('have the same ones in every View', async () => {
    await agree();
    await agree();
  });

  it('go on with the same ones after kill -9 of the reader, without loading them again', async () => {
    const reader = await agree();
    await reader.kill();
    members = members.filter((each) => each !== reader);
    const before = loadsOf(members);
    await agree();
    expect(loadsOf(members)).toEqual(before);
  });

  it('give them to one that joins later', async () => {
    members.push(new Member(redis.url));
    await agree();
  });

  it('have none while the reader has none, then those that it reads anew', async () => {
    const reader = await agree();
    const others = members.filter((each) => each !== reader);
    reader.order('LOSE');
    await vi.waitUntil(() => others.every(({ newest }) => newest?.digest === null), PATIENTLY);
    // Another one may read by now, which never lost them.
    reader.order('LOAD');
    await agree();
  });

  it('have the same ones again after Redis has lost its data', async () => {
    await agree();
    await redis.kill();
    await vi.waitUntil(() => members.every(({ newest }) => newest?.role === 'standalone'), PATIENTLY);
    await redis.start();
    await agree();
  });

  it('have the same ones again after Redis has hung', async () => {
    await agree();
    redis.pause();
    await vi.waitUntil(() => members.every(({ newest }) => newest?.role === 'standalone'), PATIENTLY);
    redis.resume();
    await agree();
  });
});
