import { gzipSync } from 'node:zlib';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { RpcCall } from '../src/pool/endpoint-pool.ts';
import {
  answer,
  halfBody,
  hangUp,
  httpStatus,
  inTurn,
  rpcError,
  type Script,
  silence,
  slot,
  text,
} from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve, stopTimers, until } from './support/test-pools.ts';

const SYSTEM = address('11111111111111111111111111111111');
const ACCOUNT = '{"data":["","base64"],"executable":false,"lamports":1,"owner":"1","rentEpoch":0,"space":0}';

const failures: readonly (readonly [name: string, script: Script, code: string])[] = [
  ['a 429', httpStatus(429), 'RPC_RATE_LIMITED'],
  ['a limit inside a good reply', rpcError(-32429), 'RPC_RATE_LIMITED'],
  ['a 500', httpStatus(500), 'RPC_UNAVAILABLE'],
  ['a 503', httpStatus(503, { 'retry-after': '1' }), 'RPC_UNAVAILABLE'],
  ['a broken connection', hangUp, 'RPC_UNAVAILABLE'],
  ['a node that is behind', rpcError(-32005), 'RPC_UNAVAILABLE'],
  ['an internal error of the node', rpcError(-32603), 'RPC_UNAVAILABLE'],
  ['half a body', halfBody, 'RPC_BAD_RESPONSE'],
  ['a page instead of JSON', text('<html>busy</html>'), 'RPC_BAD_RESPONSE'],
  ['an empty body', text(''), 'RPC_BAD_RESPONSE'],
  ['bytes that are no text', ({ response }) => response.end(Buffer.from([0xff, 0xfe])), 'RPC_BAD_RESPONSE'],
  ['JSON that is no answer', text('[1]'), 'RPC_BAD_RESPONSE'],
  ['JSON without an end of nesting', text('['.repeat(5_000)), 'RPC_BAD_RESPONSE'],
  ['the answer to another call', text('{"jsonrpc":"2.0","id":"other","result":1}'), 'RPC_BAD_RESPONSE'],
  [
    'neither result nor error',
    ({ id, response }) => response.end(JSON.stringify({ jsonrpc: '2.0', id })),
    'RPC_BAD_RESPONSE',
  ],
  [
    'an error without a code',
    ({ id, response }) => response.end(JSON.stringify({ id, error: 'x' })),
    'RPC_BAD_RESPONSE',
  ],
  ['a null result', answer('null'), 'RPC_BAD_RESPONSE'],
  ['a result of another shape', answer('"7"'), 'RPC_BAD_RESPONSE'],
  [
    'broken compression',
    ({ response }) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    'RPC_BAD_RESPONSE',
  ],
];

describe('an endpoint that fails', () => {
  it.each(failures)('once with %s is retried', async (_, script) => {
    const server = await serve(inTurn(script, slot(7)));
    const pool = poolOver([server.url]);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(server.methods).toEqual(['getSlot', 'getSlot']);
    expect(pool.clock.slept).toHaveLength(1);
  });

  it.each(failures)('with %s is replaced by another at once', async (_, script) => {
    const [bad, good] = [await serve(script), await serve(slot(7))];
    const pool = poolOver([bad.url, good.url]);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(bad.methods).toEqual(['getSlot']);
    expect(pool.clock.slept).toEqual([]);
  });

  it.each(failures)('permanently with %s fails the call with its code', async (_, script, code) => {
    const server = await serve(script);
    const outcomes: RpcCall['outcome'][] = [];
    const pool = poolOver([server.url], { maxAttempts: 3, onCall: (call) => outcomes.push(call.outcome) });
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code });
    expect(outcomes).toEqual([code, code, code]);
    expect(pool.status()[0]).toMatchObject({ name: 'rpc-1', lastError: code, inFlight: 0 });
  });

  it('by silence times out, and the connection is closed', async () => {
    const server = await serve(silence);
    const timeOut = stopTimers();
    const call = failureOf(poolOver([server.url], { timeoutMs: 30, maxAttempts: 2 }).rpc.getSlot().send());
    for (const attempt of [1, 2]) {
      await until(() => server.methods.length === attempt);
      timeOut();
      await until(() => server.abandoned() === attempt);
    }
    expect(await call).toMatchObject({ code: 'RPC_TIMEOUT', context: { method: 'getSlot', timeoutMs: 30 } });
  });

  it('by a body that never ends times out', async () => {
    const server = await serve(({ response }) =>
      response.writeHead(200, { 'content-length': '9' }).write('{'),
    );
    const pool = poolOver([server.url], { timeoutMs: 30, maxAttempts: 1 });
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code: 'RPC_TIMEOUT' });
  });

  it('by refusing the connection is unavailable', async () => {
    const server = await serve(slot(1));
    await server.stop();
    const error = await failureOf(poolOver([server.url]).rpc.getSlot().send());
    expect(error).toMatchObject({ code: 'RPC_UNAVAILABLE', context: { method: 'getSlot', attempts: 4 } });
    expect(error.cause).toMatchObject({ message: Array(4).fill('rpc-1: ECONNREFUSED').join('; ') });
  });

  it('by redirecting is not followed', async () => {
    const other = await serve(slot(1));
    const server = await serve(httpStatus(307, { location: other.url }));
    expect(await failureOf(poolOver([server.url]).rpc.getSlot().send())).toMatchObject({
      code: 'RPC_UNAVAILABLE',
    });
    expect(other.methods).toEqual([]);
  });

  it('by closing an idle connection costs no attempt', async () => {
    const server = await serve(inTurn(slot(1), hangUp, slot(2)));
    const pool = poolOver([server.url], { maxAttempts: 1 });
    expect(await pool.rpc.getSlot().send()).toBe(1n);
    expect(await pool.rpc.getSlot().send()).toBe(2n);
  });

  it.each([
    ['too few', `[${ACCOUNT}]`],
    ['too many', `[${ACCOUNT},null,null]`],
    ['no', 'null'],
    ['malformed', '[{"data":["","base64"]},null]'],
  ])('with %s accounts for a page is rejected', async (_, value) => {
    const page = (accounts: string) => answer(`{"context":{"slot":5},"value":${accounts}}`);
    const [bad, good] = [await serve(page(value)), await serve(page(`[${ACCOUNT},null]`))];
    const pool = poolOver([bad.url, good.url]);
    const { value: accounts } = await pool.rpc
      .getMultipleAccounts([SYSTEM, SYSTEM], { encoding: 'base64' })
      .send();
    expect(accounts.map((account) => account?.lamports)).toEqual([1n, undefined]);
    expect(bad.methods).toHaveLength(1);
  });
});

describe('a refusal by the RPC', () => {
  it.each([200, 400])('is an answer (HTTP %i)', async (status) => {
    const [refuses, other] = [
      await serve(rpcError(-32602, 'Invalid param: WrongSize', status)),
      await serve(slot(1)),
    ];
    const pool = poolOver([refuses.url, other.url]);
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({
      code: 'RPC_REFUSED',
      context: { method: 'getSlot', rpcCode: -32602, rpcMessage: 'Invalid param: WrongSize' },
    });
    expect(other.methods).toEqual([]);
    expect(pool.status()[0]).toMatchObject({ healthy: true, circuit: 'CLOSED' });
  });

  it('because a slot is not reached yet is retried elsewhere, then again, and does not count as a failure', async () => {
    const [a, b] = [await serve(inTurn(rpcError(-32016), slot(9))), await serve(rpcError(-32016))];
    const pool = poolOver([a.url, b.url]);
    expect(await pool.rpc.getSlot().send()).toBe(9n);
    expect([a.methods.length, b.methods.length]).toEqual([2, 1]);
    expect(pool.status().map((s) => s.healthy)).toEqual([true, true]);
  });

  it('because the method is not available is never retried on that endpoint', async () => {
    const [a, b] = [await serve(rpcError(-32601)), await serve(rpcError(-32601))];
    const pool = poolOver([a.url, b.url], { maxAttempts: 9 });
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({
      code: 'RPC_REFUSED',
      context: { rpcCode: -32601 },
    });
    expect([a.methods.length, b.methods.length]).toEqual([1, 1]);
    expect(pool.clock.slept).toEqual([]);
  });
});

describe('an endpoint that rate-limits', () => {
  it('is not called during a short Retry-After', async () => {
    const server = await serve(inTurn(httpStatus(429, { 'retry-after': '1.5' }), slot(7)));
    const pool = poolOver([server.url]);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(pool.clock.slept).toHaveLength(1);
    expect(pool.clock.slept[0]).toBeGreaterThanOrEqual(1_500);
  });

  it('fails the call at once when Retry-After is long, and is not called before it has passed', async () => {
    const server = await serve(inTurn(httpStatus(429, { 'retry-after': '20' }), slot(7)));
    const pool = poolOver([server.url]);
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code: 'RPC_RATE_LIMITED' });
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code: 'RPC_RATE_LIMITED' });
    expect(server.methods).toHaveLength(1);
    pool.clock.nowMs += 20_000;
    expect(await pool.rpc.getSlot().send()).toBe(7n);
  });

  it('never opens its circuit, however many calls it limits', async () => {
    const server = await serve(httpStatus(429));
    const pool = poolOver([server.url], { maxAttempts: 12 });
    const calls = Array.from({ length: 5 }, () => failureOf(pool.rpc.getSlot().send()));
    for (const error of await Promise.all(calls)) expect(error.code).toBe('RPC_RATE_LIMITED');
    expect(pool.status()[0]?.circuit).toBe('CLOSED');
    server.script = slot(7);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
  });
});

describe('a compressed answer', () => {
  it('is read', async () => {
    const server = await serve(({ id, request, response }) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify({ id, result: 7 })));
    });
    expect(await poolOver([server.url]).rpc.getSlot().send()).toBe(7n);
  });
});
