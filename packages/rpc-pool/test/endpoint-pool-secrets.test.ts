import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createEndpointPool } from '../src/pool/endpoint-pool.ts';
import {
  halfBody,
  hangUp,
  httpStatus,
  rpcError,
  type Script,
  silence,
  text,
} from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve } from './support/test-pools.ts';

const KEY = 'SECRET-c0ffee';

/** All text of an error that could reach a log or a response. */
function everythingOf(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error, deeply);
}

function deeply(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { ...value, name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}

describe('an error of the pool', () => {
  const leaky = (port: number) =>
    `Forbidden: http://127.0.0.1:${port}/?api-key=${KEY} at 127.0.0.1:${port} of 10.1.2.3 node7.internal.example key ${KEY}`;
  const scripts: readonly (readonly [string, Script])[] = [
    ['a limit', httpStatus(429, {}, KEY)],
    ['a forbidden call', httpStatus(403, {}, KEY)],
    ['a failure', httpStatus(500, {}, KEY)],
    ['garbage', text(`<html>${KEY}</html>`)],
    ['half a body', halfBody],
    ['a broken connection', hangUp],
    ['silence', silence],
    [
      'a refusal that quotes the URL',
      (call) => rpcError(-32602, leaky(call.request.socket.localPort ?? 0))(call),
    ],
  ];

  it.each(scripts)('after %s has no URL, host or key in it', async (_, script) => {
    const server = await serve(script);
    const pool = poolOver([`${server.url}/v2/${KEY}?api-key=${KEY}`], { timeoutMs: 30, maxAttempts: 2 });
    const shown =
      everythingOf(await failureOf(pool.rpc.getSlot().send())) + everythingOf(pool.status().map(String));
    for (const secret of [KEY, '127.0.0.1', String(server.port), '10.1.2.3', 'internal.example']) {
      expect(shown).not.toContain(secret);
    }
  });

  it('after a refused connection has no URL, host or key in it', async () => {
    const server = await serve(silence);
    await server.stop();
    const pool = poolOver([`http://user:${KEY}@127.0.0.1:${server.port}/?api-key=${KEY}`]);
    const shown = everythingOf(await failureOf(pool.rpc.getSlot().send()));
    for (const secret of [KEY, '127.0.0.1', String(server.port)]) expect(shown).not.toContain(secret);
  });

  it('keeps the message of a refusal', async () => {
    const server = await serve((call) => rpcError(-32602, leaky(1))(call));
    const error = await failureOf(poolOver([server.url]).rpc.getSlot().send());
    expect(error.message).toMatch(/^The RPC rejected getSlot: Forbidden: \[hidden\] at /);
  });

  it.each([[[]], [[`https//${KEY}`]], [[`ftp://host/${KEY}`]], [['http://127.0.0.1:1', KEY]]])(
    'in the configuration does not quote it',
    (urls) => {
      const create = () =>
        createEndpointPool({ urls, timeoutMs: 1, maxConcurrencyPerEndpoint: 1, maxAttempts: 1 });
      try {
        create();
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringMatching(/^urls: /) });
        expect(everythingOf(error)).not.toContain(KEY);
      }
    },
  );
});

describe('the URL of an endpoint', () => {
  it('is called with its path, query and credentials', async () => {
    const seen: unknown[] = [];
    const server = await serve((call) => {
      seen.push(call.request.url, call.request.headers.authorization);
      rpcError(-32602)(call);
    });
    const pool = poolOver([`http://user:pass@127.0.0.1:${server.port}/v2/${KEY}?api-key=${KEY}`]);
    await failureOf(pool.rpc.getSlot().send());
    expect(seen).toEqual([`/v2/${KEY}?api-key=${KEY}`, `Basic ${btoa('user:pass')}`]);
  });
});
