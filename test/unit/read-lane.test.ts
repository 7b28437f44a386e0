import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { type LaneReplica, ReadLane } from '../../src/store/replicas/read-lane.ts';

/** A server whose only fact is how much of the log it has. */
class Server {
  lsn = 0;
  fails: string | null = null;
  fresh = true;
  /** Turns of the event loop before and after a statement takes its snapshot. */
  delays: [number, number] = [0, 0];
  reads = 0;
  failures = 0;
  knownUntilMs = Number.NEGATIVE_INFINITY;

  readonly db = {
    rows: async () => {
      const [before, after] = this.delays;
      for (let i = 0; i < before; i += 1) await turn();
      if (this.fails !== null) throw new SluiceError('HISTORY_UNAVAILABLE', { reason: this.fails });
      const rows = [{ lsn: this.lsn }];
      for (let i = 0; i < after; i += 1) await turn();
      return rows;
    },
  };

  readonly asReplica: LaneReplica = {
    db: this.db,
    isFresh: () => this.fresh,
    hasReplayed: (ms) => this.knownUntilMs >= ms,
    lsn: async () => BigInt(this.lsn),
    answered: () => {
      this.reads += 1;
    },
    failed: () => {
      this.failures += 1;
    },
  };
}

function start() {
  const [primary, replica] = [new Server(), new Server()];
  const lane = new ReadLane({ db: primary.db, lsn: async () => BigInt(primary.lsn) });
  const read = async () => Number((await lane.rows('SELECT'))[0]?.lsn);
  return { primary, replica, lane, read };
}

describe('the server of recorded reads', () => {
  it('is the primary until a replica is taken', async () => {
    const { primary, replica, lane, read } = start();
    primary.lsn = 2;
    expect(await read()).toBe(2);
    replica.lsn = 1;
    expect(lane.take(replica.asReplica)).toBe(false);
    expect([await read(), lane.primaryReads, replica.reads]).toEqual([2, 2, 0]);
  });

  it('is a replica from the start if nothing was shown before', async () => {
    const { primary, replica, lane, read } = start();
    [primary.lsn, replica.lsn, replica.knownUntilMs] = [2, 1, 0];
    expect(lane.take(replica.asReplica)).toBe(true);
    expect([await read(), lane.primaryReads, replica.reads]).toEqual([1, 0, 1]);
  });

  it('is a replica again once it has what was committed after the last answer of the primary', async () => {
    const { replica, lane, read } = start();
    await read();
    replica.knownUntilMs = performance.now() - 60_000;
    expect(lane.take(replica.asReplica)).toBe(false);
    replica.knownUntilMs = performance.now();
    expect(lane.take(replica.asReplica)).toBe(true);
  });

  it('is not a replica that never catches up', async () => {
    const { primary, replica, lane, read } = start();
    primary.lsn = 2;
    await read();
    expect(await lane.move(replica.asReplica)).toBe(false);
    expect([await read(), lane.current]).toEqual([2, null]);
  });

  it.each(['connection lost', '40001', '57P01'])('is the primary after a failure: %s', async (reason) => {
    const { primary, replica, lane, read } = start();
    replica.knownUntilMs = 0;
    lane.take(replica.asReplica);
    [primary.lsn, replica.fails] = [3, reason];
    expect([await read(), lane.current, replica.failures]).toEqual([3, null, 1]);
  });

  it('is not asked again for a statement that took all of its time', async () => {
    const { replica, lane, read } = start();
    replica.knownUntilMs = 0;
    lane.take(replica.asReplica);
    replica.fails = '57014';
    await expect(read()).rejects.toMatchObject({ context: { reason: '57014' } });
    expect(lane.primaryReads).toBe(0);
  });

  it('is the primary while the replica in use is not fresh', async () => {
    const { replica, lane, read } = start();
    replica.knownUntilMs = 0;
    lane.take(replica.asReplica);
    replica.fresh = false;
    await read();
    expect([lane.current, lane.primaryReads, replica.failures]).toEqual([null, 1, 0]);
  });

  it('answers reads of a replica that is lost', async () => {
    const { primary, replica, lane, read } = start();
    replica.knownUntilMs = 0;
    replica.delays = [Number.POSITIVE_INFINITY, 0];
    lane.take(replica.asReplica);
    primary.lsn = 4;
    const reading = read();
    await turn();
    lane.lose(replica.asReplica);
    expect([await reading, replica.failures]).toEqual([4, 0]);
    // Ends the loop of the silent statement.
    replica.fails = 'closed';
  });
});

/** A small generator of our own, so that a seed is one sequence everywhere. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('reads that follow each other', () => {
  const answered = { primary: 0, replicas: 0 };

  afterAll(() => {
    // Each of them often enough to show something.
    expect(answered.primary).toBeGreaterThan(1_000);
    expect(answered.replicas).toBeGreaterThan(1_000);
  });

  it.each(Array.from({ length: 40 }, (_, i) => i + 1))('never return less, seed %i', async (seed) => {
    const random = randomOf(seed);
    const primary = new Server();
    const replicas = [new Server(), new Server()];
    const lane = new ReadLane({ db: primary.db, lsn: async () => BigInt(primary.lsn) });
    const known: { ms: number; lsn: number }[] = [];
    let [shown, ends, moving] = [0, false, false];
    const reader = async () => {
      while (!ends) {
        const before = shown;
        const lsn = Number((await lane.rows('SELECT'))[0]?.lsn);
        expect(lsn).toBeGreaterThanOrEqual(before);
        shown = Math.max(shown, lsn);
        for (let i = random(3); i > 0; i -= 1) await turn();
      }
    };
    const events = [
      () => {
        primary.lsn += 1;
      },
      () => {
        const replica = replicas[random(2)];
        if (replica) replica.lsn = Math.min(primary.lsn, replica.lsn + random(4));
      },
      () => {
        known.push({ ms: performance.now(), lsn: primary.lsn });
        for (const each of replicas) {
          each.knownUntilMs = known.findLast(({ lsn }) => lsn <= each.lsn)?.ms ?? each.knownUntilMs;
        }
      },
      () => {
        const replica = replicas[random(2)];
        if (replica) lane.take(replica.asReplica);
      },
      () => {
        const replica = replicas[random(2)];
        if (replica === undefined || moving || lane.current !== null) return;
        moving = true;
        void lane.move(replica.asReplica).then(() => {
          moving = false;
        });
      },
      () => {
        if (random(20) === 0 && lane.current !== null) lane.leave(lane.current);
      },
      () => {
        if (random(20) === 0 && lane.current !== null) lane.lose(lane.current);
      },
      () => {
        for (const each of [primary, ...replicas]) each.delays = [random(6), random(6)];
      },
    ];
    const reading = Promise.all([reader(), reader(), reader()]);
    for (let step = 0; step < 3_000; step += 1) {
      events[random(events.length)]?.();
      await turn();
    }
    for (const each of replicas) each.lsn = primary.lsn;
    ends = true;
    await reading;
    answered.primary += lane.primaryReads;
    answered.replicas += replicas.reduce((sum, { reads }) => sum + reads, 0);
  });
});
