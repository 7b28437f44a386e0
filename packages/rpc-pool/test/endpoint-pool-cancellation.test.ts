import { describe, expect, it } from 'vitest';
import { createEndpointPool } from '../src/pool/endpoint-pool.ts';
import { FAILURES_TO_OPEN } from '../src/transport/circuit-breaker.ts';
import { httpStatus, type Script, silence, slot } from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve, stopTimers, until } from './support/test-pools.ts';

/** Answers when the test releases it. */
function held(): { script: Script; open: (() => void)[] } {
  const open: (() => void)[] = [];
  return { open, script: (call) => open.push(() => slot(7)(call)) };
}

const tooLate = () => Object.assign(new Error('The query is too late'), { code: 'DEADLINE_EXCEEDED' });

describe('a call that its caller cancels', () => {
  it('closes the connection to the server', async () => {
    const server = await serve(silence);
    const pool = poolOver([server.url]);
    const controller = new AbortController();
    const call = failureOf(pool.rpc.getSlot().send({ abortSignal: controller.signal }));
    await until(() => server.methods.length === 1);
    controller.abort();
    expect(await call).toMatchObject({ code: 'REQUEST_CANCELLED', context: { what: 'getSlot' } });
    await until(() => server.abandoned() === 1);
    expect(pool.status()[0]).toMatchObject({ inFlight: 0, healthy: true, lastError: null });
  });

  it('closes the connection in the middle of a body', async () => {
    const server = await serve(({ response }) =>
      response.writeHead(200, { 'content-length': '99' }).write('{'),
    );
    const controller = new AbortController();
    const call = failureOf(poolOver([server.url]).rpc.getSlot().send({ abortSignal: controller.signal }));
    await until(() => server.methods.length === 1);
    controller.abort();
    expect(await call).toMatchObject({ code: 'REQUEST_CANCELLED' });
    await until(() => server.abandoned() === 1);
  });

  it('never starts when it was cancelled before', async () => {
    const server = await serve(slot(7));
    const call = poolOver([server.url]).rpc.getSlot().send({ abortSignal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ code: 'REQUEST_CANCELLED' });
    expect(server.methods).toEqual([]);
  });

  it('ends during its backoff', async () => {
    const server = await serve(httpStatus(500));
    const controller = new AbortController();
    const clock = {
      now: () => 0,
      sleep: (_: number, signal: AbortSignal) =>
        new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort();
        }),
    };
    const pool = createEndpointPool({
      urls: [server.url],
      timeoutMs: 1_000,
      maxConcurrencyPerEndpoint: 1,
      maxAttempts: 5,
      clock,
    });
    const call = pool.rpc.getSlot().send({ abortSignal: controller.signal });
    expect(await failureOf(call)).toMatchObject({ code: 'REQUEST_CANCELLED' });
    expect(server.methods).toHaveLength(1);
    await pool.close();
  });

  it('fails with the code of its deadline', async () => {
    const server = await serve(silence);
    const passDeadline = stopTimers();
    const deadline = new AbortController();
    setTimeout(() => deadline.abort(tooLate()), 30);
    const call = failureOf(poolOver([server.url]).rpc.getSlot().send({ abortSignal: deadline.signal }));
    await until(() => server.methods.length === 1);
    passDeadline();
    expect(await call).toMatchObject({ code: 'DEADLINE_EXCEEDED', message: 'The query is too late' });
    await until(() => server.abandoned() === 1);
  });

  it('counts as an endpoint timeout when it took long enough', async () => {
    const server = await serve(silence);
    const pool = poolOver([server.url], { timeoutMs: 20_000 });
    for (let i = 1; i <= FAILURES_TO_OPEN; i += 1) {
      const controller = new AbortController();
      const call = failureOf(pool.rpc.getSlot().send({ abortSignal: controller.signal }));
      await until(() => server.methods.length === i);
      pool.clock.nowMs += 10_000;
      controller.abort();
      await call;
    }
    expect(pool.status()[0]?.circuit).toBe('OPEN');
  });
});

describe('the queue of an endpoint', () => {
  it('admits as many calls as configured, in order', async () => {
    const { script, open } = held();
    const server = await serve(script);
    const pool = poolOver([server.url], { maxConcurrencyPerEndpoint: 2 });
    const done: number[] = [];
    const calls = Array.from({ length: 5 }, async (_, i) => {
      await pool.rpc.getSlot().send();
      done.push(i);
    });
    for (let answered = 0; answered < 5; answered += 1) {
      await until(() => open.length === Math.min(answered + 2, 5));
      expect(pool.status()[0]?.inFlight).toBe(Math.min(2, 5 - answered));
      open[answered]?.();
      await until(() => done.length === answered + 1);
    }
    await Promise.all(calls);
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });

  it('drops a call that is cancelled while queued', async () => {
    const { script, open } = held();
    const server = await serve(script);
    const pool = poolOver([server.url], { maxConcurrencyPerEndpoint: 1 });
    const first = pool.rpc.getSlot().send();
    await until(() => open.length === 1);
    const controller = new AbortController();
    const second = failureOf(pool.rpc.getSlot().send({ abortSignal: controller.signal }));
    const third = pool.rpc.getSlot().send();
    controller.abort(tooLate());
    expect(await second).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    open[0]?.();
    expect(await first).toBe(7n);
    await until(() => open.length === 2);
    open[1]?.();
    expect(await third).toBe(7n);
    expect(server.methods).toHaveLength(2);
  });

  it('releases queued calls when the endpoint dies', async () => {
    const server = await serve(httpStatus(500));
    const pool = poolOver([server.url], { maxConcurrencyPerEndpoint: 1, maxAttempts: 2 });
    const calls = Array.from({ length: 20 }, () => failureOf(pool.rpc.getSlot().send()));
    for (const error of await Promise.all(calls)) expect(error.code).toBe('RPC_UNAVAILABLE');
    expect(pool.status()[0]).toMatchObject({ circuit: 'OPEN', inFlight: 0 });
    expect(server.methods).toHaveLength(FAILURES_TO_OPEN);
  });
});

describe('many calls with one signal', () => {
  it('cause no listener leak warning', async () => {
    const server = await serve(slot(7));
    const pool = poolOver([server.url]);
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.name);
    process.on('warning', note);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => pool.rpc.getSlot().send({ abortSignal: signal })));
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

describe('a pool that is closed', () => {
  it('cancels running and queued calls, and rejects new ones', async () => {
    const server = await serve(silence);
    const pool = poolOver([server.url], { maxConcurrencyPerEndpoint: 1 });
    const calls = Array.from({ length: 3 }, () => failureOf(pool.rpc.getSlot().send()));
    await until(() => server.methods.length === 1);
    await pool.close();
    for (const error of await Promise.all(calls)) expect(error.code).toBe('REQUEST_CANCELLED');
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code: 'REQUEST_CANCELLED' });
    await until(() => server.abandoned() === 1);
  });
});
