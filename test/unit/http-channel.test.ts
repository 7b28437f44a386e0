import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpChannel } from '../../src/chain/rpc/http-channel.ts';

/** Bodies of several pieces, each of one letter, below and above what is put together in kept memory. */
const PIECES = 7;
const SIZES = [100_000, 900_000];

const waiting: ServerResponse[] = [];

/** Answers when two wait: a piece to each in turn, and both end at once. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', async () => {
    waiting.push(response);
    if (waiting.length < 2) return;
    const two = waiting.splice(0);
    const size = Number(request.url?.slice(1));
    for (let piece = 0; piece < PIECES; piece += 1)
      for (const [i, each] of two.entries())
        await new Promise((resolve) => each.write('ab'.charAt(i).repeat(size), resolve));
    for (const each of two) each.end();
  });
});

let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('bodies in pieces that come at the same time', () => {
  it.each(SIZES)('do not mix, of %i bytes a piece', async (size) => {
    const channel = new HttpChannel(new URL(`${url}/${size}`), 2);
    const { signal } = new AbortController();
    const replies = await Promise.all(['{}', '{}'].map((body) => channel.post(body, 10_000, signal)));
    channel.close();
    const texts = replies.map(({ text }) => text).sort();
    expect(texts.map((text) => text === text.charAt(0).repeat(size * PIECES))).toEqual([true, true]);
    expect(texts.map((text) => text.charAt(0))).toEqual(['a', 'b']);
    expect(replies.map(({ bytes }) => bytes)).toEqual([size * PIECES, size * PIECES]);
  });
});
