import { gzipSync } from 'node:zlib';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { RpcCall } from '../src/pool/endpoint-pool.ts';
import { answer, type Script, type ScriptedCall, slot } from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve, until } from './support/test-pools.ts';

const MB = 1_024 * 1_024;
const SYSTEM = address('11111111111111111111111111111111');

/** A valid answer with so many bytes of white space. */
const padded =
  (bytes: number): Script =>
  (call) =>
    answer(`${' '.repeat(bytes)}7`)(call);

const zipped =
  (body: (id: string) => Buffer): Script =>
  ({ id, response }) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(body(id));
  };

function counting() {
  const calls: RpcCall[] = [];
  return { calls, onCall: (call: RpcCall) => calls.push(call) };
}

describe('a body that is larger than its request can yield', () => {
  it('is not read to its end, and counts against the endpoint', async () => {
    const server = await serve(padded(64 * MB));
    const { calls, onCall } = counting();
    const pool = poolOver([server.url], { onCall, maxAttempts: 1 });
    expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({
      code: 'RPC_BAD_RESPONSE',
      context: { reason: 'the body is too large' },
    });
    expect(calls).toMatchObject([{ outcome: 'RPC_BAD_RESPONSE', refusedBody: 'TOO_LARGE' }]);
    expect(pool.status()[0]?.healthy).toBe(false);
  });

  it('is read from another endpoint', async () => {
    const [bad, good] = [await serve(padded(2 * MB)), await serve(slot(7))];
    const pool = poolOver([bad.url, good.url]);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
  });

  it('is refused before it is decompressed, and while it is when the size is a lie', async () => {
    const body = (id: string) =>
      Buffer.from(`{"jsonrpc":"2.0","id":"${id}",${' '.repeat(4 * MB)}"result":7}`);
    const lyingTrailer = (id: string) => {
      const compressed = gzipSync(body(id));
      compressed.writeUInt32LE(100, compressed.length - 4);
      return compressed;
    };
    const members = (id: string) => {
      const whole = body(id);
      return Buffer.concat([gzipSync(whole.subarray(0, 3 * MB)), gzipSync(whole.subarray(3 * MB))]);
    };
    for (const script of [zipped((id) => gzipSync(body(id))), zipped(lyingTrailer), zipped(members)]) {
      const server = await serve(script);
      const { calls, onCall } = counting();
      const pool = poolOver([server.url], { onCall, maxAttempts: 1 });
      expect(await failureOf(pool.rpc.getSlot().send())).toMatchObject({ code: 'RPC_BAD_RESPONSE' });
      expect(calls).toMatchObject([{ refusedBody: 'TOO_LARGE' }]);
    }
  });

  it('may be as large as a scan of a whole program', async () => {
    const server = await serve((call) => answer(`${' '.repeat(40 * MB)}[]`)(call));
    const pool = poolOver([server.url]);
    const filters = [{ memcmp: { offset: 0n, bytes: 'AQ==', encoding: 'base64' } }] as never;
    const scan = pool.rpc.getProgramAccounts(SYSTEM, { encoding: 'base64', filters });
    expect(await scan.send()).toEqual([]);
  });
});

describe('bodies in flight', () => {
  it('share a budget, which is free again when they have been read', async () => {
    const open: ScriptedCall[] = [];
    const half: Script = (call) => {
      call.response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},`, () =>
        call.response.write(' '.repeat(600_000), () => open.push(call)),
      );
    };
    const server = await serve(half);
    const { calls, onCall } = counting();
    const pool = poolOver([server.url], { onCall, maxAttempts: 1, bodiesInFlightBytes: 1_000_000 });
    const both = [1, 2].map(() => pool.rpc.getSlot().send());
    const settled = Promise.allSettled(both);
    await until(() => open.length === 2 && calls.length === 1);
    expect(calls).toMatchObject([{ refusedBody: 'OVER_BUDGET' }]);
    for (const { response } of open) response.end('"result":7}');
    const outcomes = await settled;
    expect(outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))).toEqual([7n]);
    expect(outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toMatchObject([
      { code: 'RPC_BAD_RESPONSE', context: { reason: 'too many bytes are in flight' } },
    ]);
    // The endpoint is not at fault.
    expect(pool.status()[0]?.healthy).toBe(true);
    server.script = padded(900_000);
    for (let i = 0; i < 3; i += 1) expect(await pool.rpc.getSlot().send()).toBe(7n);
    expect(calls.map(({ refusedBody }) => refusedBody)).toEqual(['OVER_BUDGET', null, null, null, null]);
  });

  it('give back their share when they are cancelled', async () => {
    const half: Script = ({ response }) => void response.write(' '.repeat(900_000));
    const server = await serve(half);
    const pool = poolOver([server.url], { maxAttempts: 1, bodiesInFlightBytes: 1_000_000 });
    const cancelled = new AbortController();
    const call = pool.rpc.getSlot().send({ abortSignal: cancelled.signal });
    await until(() => server.methods.length === 1);
    cancelled.abort();
    await failureOf(call);
    server.script = padded(900_000);
    expect(await pool.rpc.getSlot().send()).toBe(7n);
  });
});
