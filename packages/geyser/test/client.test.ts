import { constants, type ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { LOCALHOST_CERTIFICATE } from '../../rpc-pool/test/support/localhost-certificate.ts';
import {
  GeyserClient,
  type GeyserClientOptions,
  GeyserError,
  GrpcStatus,
  type SubscribeCall,
  serveGeyser,
} from '../src/index.ts';
import { SUBSCRIBE_UPDATE } from '../src/messages/update.ts';
import { deferred, handlers, rejection } from './support/handlers.ts';
import { freezableProxy, rawServer } from './support/raw-server.ts';

const never = new AbortController().signal;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function clientOf(url: string, options: GeyserClientOptions = {}): GeyserClient {
  const client = new GeyserClient({ url, token: 'sesame' }, options);
  cleanups.push(() => client.close());
  return client;
}

/** The names of the updates, and the error that ended them. */
async function readAll(client: GeyserClient, signal = never): Promise<{ names: string[]; error: unknown }> {
  const names: string[] = [];
  try {
    for await (const { filters } of client.subscribe({}, signal)) names.push(...filters);
    return { names, error: null };
  } catch (error) {
    return { names, error };
  }
}

const GRPC = { ':status': 200, 'content-type': 'application/grpc' };
function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.from([flag, 0, 0, 0, 0]);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
const named = (name: string) => SUBSCRIBE_UPDATE.encode({ filters: [name] });
function endWith(stream: ServerHttp2Stream, trailers: Record<string, string>, ...chunks: Uint8Array[]): void {
  stream.respond(GRPC, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
}

describe('the end of a call', () => {
  const OK = { 'grpc-status': '0' };
  const cases: [string, (stream: ServerHttp2Stream) => void, string | null][] = [
    ['success', (stream) => endWith(stream, OK, framed(named('a'))), null],
    [
      'messages in one chunk and across chunks',
      (stream) => {
        const all = Buffer.concat([framed(named('a')), framed(named('b')), framed(new Uint8Array())]);
        endWith(stream, OK, all.subarray(0, 2), all.subarray(2, 7), all.subarray(7));
      },
      null,
    ],
    [
      'a status in the headers alone',
      (stream) =>
        stream.respond({ ...GRPC, 'grpc-status': '7', 'grpc-message': 'no%21%' }, { endStream: true }),
      'PERMISSION_DENIED: no!%',
    ],
    ['a status that gRPC does not know', (stream) => endWith(stream, { 'grpc-status': '99' }), 'UNKNOWN: '],
    [
      'a proxy without its server',
      (stream) => {
        stream.respond({ ':status': 503, 'content-type': 'text/html' });
        stream.end('<h1>sesame</h1>');
      },
      'UNAVAILABLE: HTTP status 503',
    ],
    [
      'a web page',
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' });
        stream.end('<h1>hello</h1>');
      },
      'UNKNOWN: the answer is not gRPC',
    ],
    [
      'no status',
      (stream) => endWith(stream, {}, framed(named('a'))),
      'UNAVAILABLE: the stream ended without a status',
    ],
    [
      'a message that is cut off',
      (stream) => endWith(stream, OK, framed(named('a')).subarray(0, 6)),
      'INTERNAL: the last message is cut off',
    ],
    [
      'a refused stream',
      (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
      `UNAVAILABLE: the server reset the stream (${constants.NGHTTP2_REFUSED_STREAM})`,
    ],
    [
      'a message beyond the limit',
      (stream) => endWith(stream, OK, Buffer.from([0, 0xff, 0xff, 0xff, 0xff])),
      'RESOURCE_EXHAUSTED: a message has more than 1000 bytes',
    ],
    [
      'a gzip message beyond the limit',
      (stream) => {
        stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' });
        stream.write(framed(gzipSync(Buffer.alloc(100_000)), 1));
      },
      'RESOURCE_EXHAUSTED: a message has more than 1000 bytes',
    ],
    [
      'damaged gzip',
      (stream) => {
        stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' });
        stream.write(framed(Buffer.from('hello'), 1));
      },
      'INTERNAL: malformed message: its gzip data is damaged',
    ],
    [
      'a compression that was not offered',
      (stream) => {
        stream.respond({ ...GRPC, 'grpc-encoding': 'zstd' });
        stream.write(framed(named('a'), 1));
      },
      'INTERNAL: malformed message: it is compressed by something else than gzip',
    ],
    [
      'malformed bytes',
      (stream) => endWith(stream, OK, framed(Uint8Array.of(0x0a, 0x7f))),
      'INTERNAL: malformed message: it is shorter than its fields',
    ],
    [
      'the token in the text',
      (stream) =>
        stream.respond(
          { ...GRPC, 'grpc-status': '16', 'grpc-message': 'sesam%65 is wrong' },
          { endStream: true },
        ),
      'UNAUTHENTICATED: *** is wrong',
    ],
  ];
  it.each(cases)('%s', async (_, answer, expected) => {
    const server = await rawServer(answer);
    cleanups.push(() => server.stop());
    const { error } = await readAll(clientOf(server.url, { maxMessageBytes: 1_000 }));
    if (expected === null) expect(error).toBeNull();
    else {
      expect(error).toBeInstanceOf(GeyserError);
      expect((error as GeyserError).message).toBe(expected);
    }
  });

  it('reads gzip messages', async () => {
    const server = await rawServer((stream) => {
      stream.respond({ ...GRPC, 'grpc-encoding': 'gzip' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(OK));
      stream.end(Buffer.concat([framed(gzipSync(named('packed')), 1), framed(named('plain'))]));
    });
    cleanups.push(() => server.stop());
    expect(await readAll(clientOf(server.url))).toEqual({ names: ['packed', 'plain'], error: null });
  });

  it('is CANCELLED by the caller, before and during the call', async () => {
    const left = deferred();
    const server = await rawServer((stream) => {
      stream.respond(GRPC);
      stream.write(framed(named('a')));
      stream.once('close', left.resolve);
    });
    cleanups.push(() => server.stop());
    const client = clientOf(server.url);
    const abort = new AbortController();
    const seen: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { filters } of client.subscribe({}, abort.signal)) {
          seen.push(...filters);
          abort.abort();
        }
      })(),
    );
    expect(seen).toEqual(['a']);
    expect(error).toMatchObject({ status: GrpcStatus.CANCELLED });
    await left.promise;
    expect(() => client.subscribe({}, abort.signal)).toThrow(/CANCELLED/);
  });

  it('leaves the server when the loop is left', async () => {
    const left = deferred();
    const server = await rawServer((stream) => {
      stream.respond(GRPC);
      stream.write(framed(named('a')));
      stream.once('close', left.resolve);
    });
    cleanups.push(() => server.stop());
    for await (const _ of clientOf(server.url).subscribe({}, never)) break;
    await left.promise;
  });

  it('is DEADLINE_EXCEEDED when a unary method does not answer', async () => {
    const server = await rawServer((stream) => stream.respond(GRPC));
    cleanups.push(() => server.stop());
    const error = await rejection(clientOf(server.url, { timeoutMs: 50 }).getVersion(never));
    expect(error).toMatchObject({ status: GrpcStatus.DEADLINE_EXCEEDED });
  });
});

describe('the connection', () => {
  it('that is refused is UNAVAILABLE, without the address', async () => {
    const server = await rawServer(() => undefined);
    await server.stop();
    const { error } = await readAll(clientOf(server.url));
    expect(String(error)).toBe('GeyserError: UNAVAILABLE: connection failed (ECONNREFUSED)');
  });

  it('to a server that says nothing is given up', async () => {
    const silent = createServer((socket) => cleanups.push(() => socket.destroy()));
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    cleanups.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    const { error } = await readAll(clientOf(`http://127.0.0.1:${port}`, { connectTimeoutMs: 50 }));
    expect(error).toMatchObject({ message: 'UNAVAILABLE: no connection within 50 ms' });
  });

  it('ends when the network is silent', async () => {
    const server = await serveGeyser({
      handlers: handlers({ subscribe: (call) => () => void call.send({ filters: ['a'] }) }),
    });
    cleanups.push(() => server.close());
    const proxy = await freezableProxy(server.url);
    cleanups.push(() => proxy.stop());
    const error = await rejection(
      (async () => {
        for await (const _ of clientOf(proxy.url, { keepAliveMs: 20 }).subscribe({}, never)) proxy.freeze();
      })(),
    );
    expect(error).toMatchObject({ message: 'UNAVAILABLE: the server does not answer pings' });
  });

  it('that is lost ends its streams, and the next call makes a new one', async () => {
    const server = await serveGeyser({
      handlers: handlers({
        subscribe: (call) => () => void call.send({ filters: ['a'] }),
        version: () => 'v',
      }),
    });
    cleanups.push(() => server.close());
    const client = clientOf(server.url);
    const error = await rejection(
      (async () => {
        for await (const _ of client.subscribe({}, never)) server.dropConnections();
      })(),
    );
    expect(error).toMatchObject({ status: GrpcStatus.UNAVAILABLE });
    expect(await client.getVersion(never)).toBe('v');
  });

  it('is closed with the client', async () => {
    const server = await serveGeyser({
      handlers: handlers({ subscribe: (call) => () => void call.send({ filters: ['a'] }) }),
    });
    cleanups.push(() => server.close());
    const client = clientOf(server.url);
    const error = await rejection(
      (async () => {
        for await (const _ of client.subscribe({}, never)) void client.close();
      })(),
    );
    expect(error).toMatchObject({ message: 'UNAVAILABLE: the client was closed' });
    await expect(client.getVersion(never)).rejects.toThrow('UNAVAILABLE: the client was closed');
  });

  it('may be closed while it is being made', async () => {
    const server = await serveGeyser({ handlers: handlers({ subscribe: () => () => undefined }) });
    cleanups.push(() => server.close());
    // The connection is ready between two of these moments. A call on it after its end would end the process.
    for (let moments = 0; moments < 12; moments += 1) {
      const client = clientOf(server.url);
      const reading = readAll(client);
      for (let i = 0; i < moments; i += 1) await new Promise((resolve) => setImmediate(resolve));
      await client.close();
      expect((await reading).error).toMatchObject({ status: GrpcStatus.UNAVAILABLE });
    }
  });

  it('is encrypted for https', async () => {
    const server = await serveGeyser({
      handlers: handlers({ version: () => 'v' }),
      tls: LOCALHOST_CERTIFICATE,
    });
    cleanups.push(() => server.close());
    expect(await clientOf(server.url, { ca: LOCALHOST_CERTIFICATE.cert }).getVersion(never)).toBe('v');
    const error = await rejection(clientOf(server.url).getVersion(never));
    expect(error).toMatchObject({ status: GrpcStatus.UNAVAILABLE });
  });

  it.each([
    'localhost:10000',
    'ftp://a',
    'http://user:sesame@a',
    'https://a/sesame',
    'https://a/?key=sesame',
  ])('is not made to %s, and the error does not quote it', (url) => {
    let error: unknown;
    try {
      new GeyserClient({ url });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).not.toMatch(/sesame|ftp|localhost/);
  });
});

describe('a slow consumer', () => {
  it('stops the server until it reads on, and then gets everything', async () => {
    const messages = 2_000;
    const data = new Uint8Array(10_000);
    let sent = 0;
    const blocked = deferred();
    const flood = async (call: SubscribeCall) => {
      while (sent < messages && !call.signal.aborted) {
        sent += 1;
        if (call.send({ account: { account: { data, writeVersion: BigInt(sent) } } })) continue;
        // The loop turns until the client's window is full, when nothing drains any more.
        await Promise.race([call.drained(), new Promise((resolve) => setTimeout(resolve, 300))]);
        if (call.bufferedBytes > 0) {
          blocked.resolve();
          await call.drained();
        }
      }
      // Nothing has stopped the server.
      blocked.resolve();
      call.end();
    };
    const server = await serveGeyser({ handlers: handlers({ subscribe: (call) => () => void flood(call) }) });
    cleanups.push(() => server.close());
    const versions: bigint[] = [];
    for await (const { account } of clientOf(server.url).subscribe({}, never)) {
      if (versions.length === 0) {
        await blocked.promise;
        // 20 MB are to come; the window is 4 MiB.
        expect(sent * data.length).toBeLessThan(10_000_000);
      }
      versions.push(account?.account?.writeVersion ?? 0n);
    }
    expect(versions).toEqual(Array.from({ length: messages }, (_, i) => BigInt(i + 1)));
  });
});

describe('pings', () => {
  it('go out on a subscription while it lasts', async () => {
    const ids: (number | undefined)[] = [];
    const server = await serveGeyser({
      handlers: handlers({
        subscribe: (call) => (request) => {
          ids.push(request.ping?.id);
          if (request.ping !== null) call.send({ pong: { id: request.ping.id } });
        },
      }),
    });
    cleanups.push(() => server.close());
    const stream = clientOf(server.url, { pingIntervalMs: 20 }).subscribe({}, never);
    stream.ping(9);
    const pongs: unknown[] = [];
    for await (const { pong } of stream) {
      pongs.push(pong?.id);
      if (pongs.length === 3) break;
    }
    expect(pongs).toEqual([9, 0, 0]);
    expect(ids.slice(0, 4)).toEqual([undefined, 9, 0, 0]);
  });
});
