import { afterEach, describe, expect, it } from 'vitest';
import { GeyserClient, GeyserError, GrpcStatus, type SubscribeUpdate, serveGeyser } from '../src/index.ts';
import { foreignCall, foreignClient, foreignServer, foreignSubscribe, grpc } from './support/foreign.ts';
import { handlers, rejection } from './support/handlers.ts';

const never = new AbortController().signal;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const ACCOUNT = {
  pubkey: Buffer.alloc(32, 1),
  lamports: '18446744073709551615',
  owner: Buffer.alloc(32, 2),
  executable: false,
  rentEpoch: '0',
  data: Buffer.from('0102', 'hex'),
  writeVersion: '9007199254740993',
};

describe('our client against a server of grpc-js', () => {
  async function served(methods: grpc.UntypedServiceImplementation) {
    const server = await foreignServer({ ...methods });
    const client = new GeyserClient({ url: server.url, token: 'secret', tokenHeader: 'x-key' });
    cleanups.push(server.stop, () => client.close());
    return client;
  }

  it('subscribes, sends its token, and decodes updates', async () => {
    const requests: unknown[] = [];
    const client = await served({
      Subscribe(call: grpc.ServerDuplexStream<unknown, object>) {
        requests.push(call.metadata.get('x-key'));
        call.on('data', (request) => {
          requests.push(request);
          call.write({
            filters: ['a'],
            account: { account: ACCOUNT, slot: '7' },
            createdAt: { seconds: '-1' },
          });
          call.write({ filters: [], slot: { slot: '8', parent: '0', status: 6, deadError: 'bad' } });
          call.end();
        });
      },
    });
    const stream = client.subscribe(
      {
        accounts: new Map([['a', { owner: ['o'], filters: [{ memcmp: { offset: 3n, base58: 'x' } }] }]]),
        commitment: 1,
        fromSlot: 0n,
      },
      never,
    );
    const updates: SubscribeUpdate[] = [];
    for await (const update of stream) updates.push(update);
    expect(requests).toEqual([
      ['secret'],
      expect.objectContaining({
        accounts: {
          a: {
            account: [],
            owner: ['o'],
            filters: [{ filter: 'memcmp', memcmp: { offset: '3', data: 'base58', base58: 'x' } }],
          },
        },
        commitment: 1,
        fromSlot: '0',
      }),
    ]);
    expect(updates).toHaveLength(2);
    expect(updates[0]).toMatchObject({
      filters: ['a'],
      account: {
        slot: 7n,
        isStartup: false,
        account: {
          lamports: 2n ** 64n - 1n,
          writeVersion: 2n ** 53n + 1n,
          data: Uint8Array.of(1, 2),
          txnSignature: null,
        },
      },
      slot: null,
      createdAt: { seconds: -1n, nanos: 0 },
    });
    expect(updates[1]).toMatchObject({
      account: null,
      slot: { slot: 8n, parent: 0n, status: 6, deadError: 'bad' },
    });
  });

  it('asks unary methods', async () => {
    const answer = (value: object) => (_: unknown, done: grpc.sendUnaryData<object>) => done(null, value);
    const client = await served({
      SubscribeReplayInfo: answer({}),
      Ping: (call: grpc.ServerUnaryCall<{ count: number }, object>, done: grpc.sendUnaryData<object>) =>
        done(null, { count: call.request.count * 2 }),
      GetSlot: (
        call: grpc.ServerUnaryCall<{ commitment: number }, object>,
        done: grpc.sendUnaryData<object>,
      ) => done(null, { slot: String(100 + call.request.commitment) }),
      GetVersion: answer({ version: '{}' }),
      GetLatestBlockhash: answer({ slot: '5', blockhash: 'hash', lastValidBlockHeight: '6' }),
    });
    expect(await client.subscribeReplayInfo(never)).toEqual({ firstAvailable: null });
    expect(await client.ping(-21, never)).toBe(-42);
    expect(await client.getSlot(2, never)).toBe(102n);
    expect(await client.getVersion(never)).toBe('{}');
    expect(await client.getLatestBlockhash(0, never)).toEqual({
      slot: 5n,
      blockhash: 'hash',
      lastValidBlockHeight: 6n,
    });
  });

  it('reports the status of the server, without the token', async () => {
    const client = await served({
      Subscribe(call: grpc.ServerDuplexStream<unknown, object>) {
        call.write({ filters: ['before'] });
        call.emit('error', { code: grpc.status.OUT_OF_RANGE, details: 'slot 5 is gone: 100 % – secret' });
      },
      GetVersion: (_: unknown, done: grpc.sendUnaryData<object>) =>
        done({ code: grpc.status.UNAUTHENTICATED, details: 'no secret' }),
    });
    const seen: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { filters } of client.subscribe({}, never)) seen.push(...filters);
      })(),
    );
    expect(seen).toEqual(['before']);
    expect(error).toBeInstanceOf(GeyserError);
    expect(error).toMatchObject({ status: GrpcStatus.OUT_OF_RANGE });
    expect(String(error)).toBe('GeyserError: OUT_OF_RANGE: slot 5 is gone: 100 % – ***');
    const refused = await rejection(client.getVersion(never));
    expect(String(refused)).toBe('GeyserError: UNAUTHENTICATED: no ***');
  });

  it('reads gzip, which grpc-js sends on request', async () => {
    const data = Buffer.alloc(100_000, 7);
    const client = await served({
      Subscribe(call: grpc.ServerDuplexStream<unknown, object>) {
        const metadata = new grpc.Metadata();
        metadata.set('grpc-internal-encoding-request', 'gzip');
        call.sendMetadata(metadata);
        call.write({ account: { account: { ...ACCOUNT, data } } });
        call.end();
      },
    });
    const updates: SubscribeUpdate[] = [];
    for await (const update of client.subscribe({}, never)) updates.push(update);
    expect(data.equals(updates[0]?.account?.account?.data ?? new Uint8Array())).toBe(true);
  });
});

describe('a client of grpc-js against our server', () => {
  async function served(...args: Parameters<typeof handlers>) {
    const server = await serveGeyser({ handlers: handlers(...args), token: 'secret' });
    const client = foreignClient(server.url);
    cleanups.push(
      () => server.close(),
      () => client.close(),
    );
    return client;
  }
  function metadataWith(token: string): grpc.Metadata {
    const metadata = new grpc.Metadata();
    metadata.set('x-token', token);
    return metadata;
  }

  it('subscribes, replaces its subscription, and receives the status', async () => {
    const client = await served({
      subscribe: (call) => (request) => {
        for (const [name, filter] of request.accounts) call.send({ filters: [name, ...filter.owner] });
        if (request.ping !== null) {
          call.send({ pong: { id: request.ping.id } });
          call.end(GrpcStatus.OUT_OF_RANGE, 'gone – 100 %');
        }
      },
    });
    const stream = foreignSubscribe(client, metadataWith('secret'));
    stream.write({ accounts: { one: { owner: ['a', 'b'] } } });
    stream.write({ accounts: { two: {} } });
    stream.write({ ping: { id: 5 } });
    const seen: unknown[] = [];
    stream.on('data', (update) => seen.push(update));
    const error = await new Promise((resolve) => stream.once('error', resolve));
    expect(error).toMatchObject({ code: grpc.status.OUT_OF_RANGE, details: 'gone – 100 %' });
    expect(seen).toEqual([
      expect.objectContaining({ filters: ['one', 'a', 'b'] }),
      expect.objectContaining({ filters: ['two'] }),
      expect.objectContaining({ update: 'pong', pong: { id: 5 } }),
    ]);
  });

  it('is refused without the token', async () => {
    const client = await served();
    const stream = foreignSubscribe(client, metadataWith('guess'));
    stream.resume();
    const error = await new Promise((resolve) => stream.once('error', resolve));
    expect(error).toMatchObject({ code: grpc.status.UNAUTHENTICATED });
    await expect(foreignCall(client, 'GetSlot', {})).rejects.toMatchObject({
      code: grpc.status.UNAUTHENTICATED,
    });
  });

  it('asks unary methods', async () => {
    const server = await serveGeyser({
      handlers: handlers({
        slot: (commitment) => 100n + BigInt(commitment),
        replayInfo: () => ({ firstAvailable: 0n }),
        version: () => '{"a":1}',
      }),
    });
    const client = foreignClient(server.url);
    cleanups.push(
      () => server.close(),
      () => client.close(),
    );
    expect(await foreignCall(client, 'GetSlot', { commitment: 2 })).toEqual({ slot: '102' });
    expect(await foreignCall(client, 'SubscribeReplayInfo', {})).toMatchObject({ firstAvailable: '0' });
    expect(await foreignCall(client, 'Ping', { count: 4 })).toEqual({ count: 5 });
    expect(await foreignCall(client, 'GetVersion', {})).toEqual({ version: '{"a":1}' });
    await expect(foreignCall(client, 'GetLatestBlockhash', {})).rejects.toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
      details: 'not in this test',
    });
    await expect(foreignCall(client, 'GetBlockHeight', {})).rejects.toMatchObject({
      code: grpc.status.UNIMPLEMENTED,
    });
  });
});
