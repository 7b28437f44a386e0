import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpChannel } from '../src/transport/http-channel.ts';
import { LOCALHOST_CERTIFICATE } from './support/localhost-certificate.ts';

/** Bodies of several chunks, each of one letter, below and above the size of the reused buffer. */
const CHUNKS = 7;
const SIZES = [100_000, 900_000];

const waiting: ServerResponse[] = [];

const asText = { body: '{}', timeoutMs: 10_000, read: (body: Buffer) => body.toString() };

/** Answers once two requests wait: alternates their chunks and ends both together. */
const answerInTurn: RequestListener = (request, response) => {
  request.resume();
  request.on('end', async () => {
    waiting.push(response);
    if (waiting.length < 2) return;
    const two = waiting.splice(0);
    const size = Number(request.url?.slice(1));
    for (let chunk = 0; chunk < CHUNKS; chunk += 1)
      for (const [i, each] of two.entries())
        await new Promise((resolve) => each.write('ab'.charAt(i).repeat(size), resolve));
    for (const each of two) each.end();
  });
};

const plain = createServer(answerInTurn);
const secure = createSecureServer(LOCALHOST_CERTIFICATE, answerInTurn);
const servers = [
  ['http', plain],
  ['https', secure],
] as const;
const urlOf = (scheme: string) => {
  const { port } = (scheme === 'http' ? plain : secure).address() as AddressInfo;
  return `${scheme}://127.0.0.1:${port}`;
};
beforeAll(async () => {
  // The certificate is self-signed.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  for (const [, server] of servers)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const [, server] of servers) await new Promise((resolve) => server.close(resolve));
});

describe.each(servers)('interleaved chunked bodies over %s', (scheme) => {
  it.each(SIZES)('do not mix with %i bytes per chunk', async (size) => {
    const channel = new HttpChannel(new URL(`${urlOf(scheme)}/${size}`), 2);
    const { signal } = new AbortController();
    const replies = await Promise.all([1, 2].map(() => channel.post(asText, signal)));
    channel.close();
    const texts = replies.map(({ body }) => body).sort();
    expect(texts.map((text) => text === text.charAt(0).repeat(size * CHUNKS))).toEqual([true, true]);
    expect(texts.map((text) => text.charAt(0))).toEqual(['a', 'b']);
    expect(replies.map(({ bytes }) => bytes)).toEqual([size * CHUNKS, size * CHUNKS]);
  });
});

it('reads all connections into the same buffer', async () => {
  const memory = new Set<ArrayBufferLike>();
  let reads = 0;
  let sockets = 0;
  const watch = (message: unknown) => {
    sockets += 1;
    (message as { socket: Socket }).socket.on('data', (data) => {
      reads += 1;
      memory.add(data.buffer);
    });
  };
  subscribe('net.client.socket', watch);
  const channel = new HttpChannel(new URL(`${urlOf('http')}/900000`), 2);
  try {
    const { signal } = new AbortController();
    await Promise.all([1, 2].map(() => channel.post(asText, signal)));
  } finally {
    unsubscribe('net.client.socket', watch);
    channel.close();
  }
  expect(sockets).toBe(2);
  expect(reads).toBeGreaterThan(2);
  expect(memory.size).toBe(1);
});

it.each(servers)('reads compressed bodies over reused connections, by %s', async (scheme) => {
  const bodyOf = (turn: number) => JSON.stringify({ turn, digits: String(turn).repeat(300_000) });
  const [server] = servers.flatMap(([name, each]) => (name === scheme ? each : []));
  let turn = 0;
  const answer: RequestListener = (request, response) => {
    request.resume();
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(bodyOf(turn), { level: 0 }));
  };
  server?.removeAllListeners('request').on('request', answer);
  const channel = new HttpChannel(new URL(urlOf(scheme)), 1);
  const { signal } = new AbortController();
  try {
    for (; turn < 5; turn += 1) {
      const { body } = await channel.post(asText, signal);
      expect(body === bodyOf(turn)).toBe(true);
    }
  } finally {
    channel.close();
    server?.removeAllListeners('request').on('request', answerInTurn);
  }
});

it.each([
  ['nothing', ''],
  ['one letter', 'a'],
  ['more than the size in the gzip trailer may claim', 'ab'.repeat(3_000_000)],
])('reads a compressed body of %s, in one gzip member or several', async (_, text) => {
  const channel = new HttpChannel(new URL(urlOf('http')), 1);
  const half = text.length / 2;
  // With several gzip members the trailer has the size of the last one only.
  const bodies = [
    gzipSync(text),
    Buffer.concat([text.slice(0, half), text.slice(half)].map((each) => gzipSync(each))),
  ];
  try {
    for (const body of bodies) {
      plain.removeAllListeners('request').on('request', (request, response) => {
        request.resume();
        response.setHeader('content-encoding', 'gzip');
        response.end(body);
      });
      const reply = await channel.post(asText, new AbortController().signal);
      expect(reply.body === text).toBe(true);
    }
  } finally {
    channel.close();
    plain.removeAllListeners('request').on('request', answerInTurn);
  }
});

it('rejects when the body cannot be read, and stays usable', async () => {
  const channel = new HttpChannel(new URL(urlOf('http')), 1);
  const answer: RequestListener = (request, response) => {
    request.resume();
    response.end('{}');
  };
  plain.removeAllListeners('request').on('request', answer);
  const { signal } = new AbortController();
  const read = () => {
    throw new RangeError('too long');
  };
  try {
    await expect(channel.post({ ...asText, read }, signal)).rejects.toThrow('too long');
    expect(await channel.post(asText, signal)).toMatchObject({ status: 200, body: '{}' });
  } finally {
    channel.close();
    plain.removeAllListeners('request').on('request', answerInTurn);
  }
});
