import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FAILURES_TO_OPEN, FIRST_COOL_DOWN_MS, MAX_COOL_DOWN_MS } from '../src/transport/circuit-breaker.ts';
import { httpStatus, inTurn, rpcError, type Script, silence, slot } from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve, stopTimers, until } from './support/test-pools.ts';

describe('a pool with one dead endpoint', () => {
  it('answers from the others and stops using it', async () => {
    const [dead, b, c] = [await serve(slot(0)), await serve(slot(7)), await serve(slot(7))];
    await dead.stop();
    const failed: string[] = [];
    const pool = poolOver([dead.url, b.url, c.url], {
      onCall: ({ endpoint, outcome }) => outcome !== 'ok' && failed.push(endpoint),
    });
    for (let i = 0; i < 10; i += 1) expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(failed).toEqual(['rpc-1']);
    expect(pool.status().map((s) => s.healthy)).toEqual([false, true, true]);
    expect(pool.clock.slept).toEqual([]);
  });

  it('probes it alongside user calls and uses it again once it answers', async () => {
    const [sick, well] = [await serve(httpStatus(500)), await serve(slot(7))];
    const pool = poolOver([sick.url, well.url]);
    await pool.rpc.getSlot().send();
    expect(pool.status()[0]).toMatchObject({ healthy: false, lastError: 'RPC_UNAVAILABLE' });
    sick.script = slot(7);
    pool.clock.nowMs += FIRST_COOL_DOWN_MS;
    await pool.rpc.getSlot().send();
    await until(() => pool.status()[0]?.healthy === true);
    expect(sick.methods).toEqual(['getSlot', 'getSlot']);
  });

  it('answers users from the healthy one while it probes one that hangs', async () => {
    const [hangs, well] = [await serve(silence), await serve(slot(7))];
    const timeOut = stopTimers();
    const pool = poolOver([hangs.url, well.url]);
    const first = pool.rpc.getBlockHeight().send();
    await until(() => hangs.methods.length === 1);
    timeOut();
    expect(await first).toBe(7n);
    for (let i = 1; i < FAILURES_TO_OPEN; i += 1) {
      pool.clock.nowMs += FIRST_COOL_DOWN_MS;
      expect(await pool.rpc.getBlockHeight().send()).toBe(7n);
      await until(() => hangs.methods.length === i + 1);
      timeOut();
      await until(() => pool.status()[0]?.inFlight === 0);
    }
    expect(pool.status()[0]).toMatchObject({ circuit: 'OPEN', lastError: 'RPC_TIMEOUT' });
    expect(hangs.methods).toEqual(['getBlockHeight', ...Array(FAILURES_TO_OPEN - 1).fill('getSlot')]);
  });
});

describe('a pool with only dead endpoints', () => {
  it('fails, then fails fast, then recovers without a restart', async () => {
    const servers = [await serve(httpStatus(502)), await serve(httpStatus(502))] as const;
    const pool = poolOver(
      servers.map((s) => s.url),
      { maxAttempts: 2 * FAILURES_TO_OPEN },
    );
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({
      code: 'RPC_UNAVAILABLE',
      context: { attempts: 2 * FAILURES_TO_OPEN },
    });
    expect(pool.status().map((s) => s.circuit)).toContain('OPEN');
    await failureOf(pool.rpc.getSlot().send());

    const asked = servers.map((s) => s.methods.length);
    pool.clock.slept.length = 0;
    expect(pool.status().map((s) => s.circuit)).toEqual(['OPEN', 'OPEN']);
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({
      code: 'RPC_UNAVAILABLE',
      context: { method: 'getSlot', attempts: 0 },
    });
    expect(servers.map((s) => s.methods.length)).toEqual(asked);
    expect(pool.clock.slept).toEqual([]);

    servers[1].script = slot(7);
    pool.clock.nowMs += MAX_COOL_DOWN_MS;
    expect(pool.status().map((s) => s.circuit)).toEqual(['HALF_OPEN', 'HALF_OPEN']);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(pool.status()[1]).toMatchObject({ circuit: 'CLOSED', healthy: true });
  });

  it('recovers when a stopped server starts again', async () => {
    const first = await serve(slot(1));
    await first.stop();
    const pool = poolOver([first.url]);
    await failureOf(pool.rpc.getSlot().send());
    await failureOf(pool.rpc.getSlot().send());
    expect(pool.status()[0]?.circuit).toBe('OPEN');
    await serve(slot(8), first.port);
    pool.clock.nowMs += FIRST_COOL_DOWN_MS;
    expect(await pool.rpc.getSlot().send()).toBe(8n);
  });

  it('lets a single call through a half-open circuit', async () => {
    const server = await serve(httpStatus(500));
    const pool = poolOver([server.url], { maxAttempts: FAILURES_TO_OPEN });
    await failureOf(pool.rpc.getSlot().send());
    pool.clock.nowMs += FIRST_COOL_DOWN_MS;
    const asked = server.methods.length;
    const errors = await Promise.all(Array.from({ length: 6 }, () => failureOf(pool.rpc.getSlot().send())));
    expect(new Set(errors.map((e) => e.code))).toEqual(new Set(['RPC_UNAVAILABLE']));
    expect(server.methods.length - asked).toBe(1);
  });
});

describe('the choice of an endpoint', () => {
  it('skips an endpoint that lags until it has caught up', async () => {
    const [behind, ahead] = [await serve(slot(1_000)), await serve(slot(2_000))];
    const pool = poolOver([ahead.url, behind.url]);
    await Promise.all([pool.rpc.getSlot().send(), pool.rpc.getSlot().send()]);
    // The first round only learns the newest slot; lag is known from the second on.
    pool.clock.nowMs += 60_000;
    await Promise.all([pool.rpc.getSlot().send(), pool.rpc.getSlot().send()]);
    expect(pool.status().map((s) => [s.slotLag, s.healthy])).toEqual([
      [0n, true],
      [1_000n, false],
    ]);
    const asked = behind.methods.length;
    for (let i = 0; i < 5; i += 1) expect(await pool.rpc.getSlot().send()).toBe(2_000n);
    expect(behind.methods).toHaveLength(asked);
    behind.script = slot(1_999);
    pool.clock.nowMs += FIRST_COOL_DOWN_MS;
    await pool.rpc.getSlot().send();
    await until(() => pool.status()[1]?.healthy === true);
    expect(pool.status()[1]?.slotLag).toBe(1n);
  });

  it('uses a lagging endpoint when no other is left', async () => {
    const [behind, ahead] = [await serve(slot(1_000)), await serve(slot(2_000))];
    const pool = poolOver([ahead.url, behind.url]);
    for (let i = 0; i < 2; i += 1) await Promise.all([pool.rpc.getSlot().send(), pool.rpc.getSlot().send()]);
    expect(pool.status()[1]?.healthy).toBe(false);
    await ahead.stop();
    expect(await pool.rpc.getSlot().send()).toBe(1_000n);
  });

  it('ignores the slot of an answer that took long', async () => {
    let release = () => {};
    const [slow, fast] = [
      await serve((call) => {
        release = () => slot(1_000)(call);
      }),
      await serve(slot(1_000)),
    ];
    const pool = poolOver([slow.url, fast.url]);
    const late = pool.rpc.getSlot().send();
    await until(() => slow.methods.length === 1);
    await pool.rpc.getSlot().send();
    fast.script = slot(9_000);
    pool.clock.nowMs += 60_000;
    await pool.rpc.getSlot().send();
    release();
    await late;
    expect(pool.status().map((s) => s.slotLag)).toEqual([0n, 0n]);
  });

  it('keeps the newer slot when answers overtake each other', async () => {
    const held: (() => void)[] = [];
    const hold: Script = (call) => held.push(() => slot(1_000)(call));
    const [a, b] = [await serve(inTurn(hold, slot(5_000))), await serve(inTurn(hold, slot(2_000)))];
    const pool = poolOver([a.url, b.url]);
    const older = [pool.rpc.getSlot().send(), pool.rpc.getSlot().send()];
    await until(() => held.length === 2);
    pool.clock.nowMs += 1;
    expect(await pool.rpc.getSlot().send()).toBe(5_000n);
    for (const release of held) release();
    await Promise.all(older);
    await Promise.all([pool.rpc.getSlot().send(), pool.rpc.getSlot().send()]);
    expect(pool.status().map((s) => s.slotLag)).toEqual([0n, 3_000n]);
  });

  it('tries every endpoint before it repeats one', async () => {
    const servers = [
      await serve(httpStatus(500)),
      await serve(httpStatus(500)),
      await serve(httpStatus(500)),
    ];
    const order: string[] = [];
    const pool = poolOver(
      servers.map((s) => s.url),
      { maxAttempts: 9, onCall: ({ endpoint }) => order.push(endpoint) },
    );
    await failureOf(pool.rpc.getSlot().send());
    for (const round of [0, 3, 6]) expect(new Set(order.slice(round, round + 3)).size).toBe(3);
    expect(pool.clock.slept).toHaveLength(2);
  });

  it('prefers the faster idle endpoint and measures the slower again later', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const late: Script = (call) => {
      vi.advanceTimersByTime(150);
      slot(7)(call);
    };
    const [slow, fast] = [await serve(inTurn(late, slot(7))), await serve(slot(7))];
    const pool = poolOver([slow.url, fast.url]);
    for (let i = 0; i < 6; i += 1) await pool.rpc.getSlot().send();
    expect([slow.methods.length, fast.methods.length]).toEqual([1, 5]);
    pool.clock.nowMs += 60_000;
    await pool.rpc.getSlot().send();
    expect(slow.methods).toHaveLength(2);
  });

  it('spreads calls that run at the same time', async () => {
    const open: (() => void)[] = [];
    const script: Parameters<typeof serve>[0] = (call) => open.push(() => slot(1)(call));
    const [a, b] = [await serve(script), await serve(script)];
    const pool = poolOver([a.url, b.url]);
    const calls = Array.from({ length: 6 }, () => pool.rpc.getSlot().send());
    await until(() => open.length === 6);
    expect(pool.status().map((s) => s.inFlight)).toEqual([3, 3]);
    for (const release of open) release();
    await Promise.all(calls);
  });

  it('does not count refusals as failures', async () => {
    const server = await serve(rpcError(-32602));
    const pool = poolOver([server.url]);
    for (let i = 0; i < 2 * FAILURES_TO_OPEN; i += 1) await failureOf(pool.rpc.getSlot().send());
    expect(pool.status()[0]).toMatchObject({ circuit: 'CLOSED', healthy: true, lastError: 'RPC_REFUSED' });
  });
});
