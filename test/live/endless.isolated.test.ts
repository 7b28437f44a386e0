import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { afterEach, expect, it } from 'vitest';
import { requestListener } from '../../src/http/server.ts';
import { until } from '../support/rpc/test-pools.ts';

/** A body that is told what to send, and what became of it. */
class Told {
  asked = 0;
  cancelled = false;
  #push: ((piece: Uint8Array) => void) | undefined;
  readonly body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        this.asked += 1;
        return new Promise((resolve) => {
          this.#push = (piece) => {
            this.#push = undefined;
            controller.enqueue(piece);
            resolve();
          };
        });
      },
      cancel: () => {
        this.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );

  get isWanted(): boolean {
    return this.#push !== undefined;
  }

  tell(piece: Uint8Array): void {
    this.#push?.(piece);
  }
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listenTo(body: ReadableStream<Uint8Array>): Promise<IncomingMessage> {
  const headers = { 'content-type': 'text/event-stream', 'x-told': 'yes' };
  server = createServer(requestListener(async () => new Response(body, { headers })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  return response;
}

const PIECE = new TextEncoder().encode('event: next\ndata: {}\n\n');

it('a stream keeps nothing of what it has sent', async () => {
  const told = new Told();
  const response = await listenTo(told.body);
  let bytes = 0;
  response.on('data', (piece: Uint8Array) => {
    bytes += piece.byteLength;
  });
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-told': 'yes' });
  let sent = 0;
  const send = async (pieces: number) => {
    for (let i = 0; i < pieces; i += 1) {
      told.tell(PIECE);
      sent += PIECE.byteLength;
      await until(() => bytes === sent && told.isWanted);
    }
    return queryObjects(Promise, { format: 'count' });
  };
  await until(() => told.isWanted);
  const before = await send(20);
  expect(await send(400)).toBeLessThan(before + 100);
  response.destroy();
  await until(() => told.cancelled);
});

it('nothing more is asked for while the client does not read', async () => {
  const told = new Told();
  const response = await listenTo(told.body);
  // More than any socket takes.
  const large = new Uint8Array(32_000_000);
  await until(() => told.isWanted);
  told.tell(large);
  const asked = told.asked;
  for (let turn = 0; turn < 100; turn += 1) await turnOfTheLoop();
  expect(told.asked).toBe(asked);
  let bytes = 0;
  response.on('data', (piece: Uint8Array) => {
    bytes += piece.byteLength;
  });
  await until(() => bytes === large.byteLength && told.isWanted);
  response.destroy();
  await until(() => told.cancelled);
});

it('a body that fails takes its connection with it, and the server goes on', async () => {
  const failing = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(PIECE);
    },
    pull(controller) {
      controller.error(new Error('broken'));
    },
  });
  const response = await listenTo(failing);
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
  expect(server?.listening).toBe(true);
});
