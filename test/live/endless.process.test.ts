import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { requestListener } from '../../src/http/server.ts';

/** A response body that sends what the test pushes. */
class PushedBody {
  pulls = 0;
  cancelled = false;
  #push: ((chunk: Uint8Array) => void) | undefined;
  readonly stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        this.pulls += 1;
        return new Promise((resolve) => {
          this.#push = (chunk) => {
            this.#push = undefined;
            controller.enqueue(chunk);
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

  push(chunk: Uint8Array): void {
    this.#push?.(chunk);
  }
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listenTo(body: ReadableStream<Uint8Array>): Promise<IncomingMessage> {
  const headers = { 'content-type': 'text/event-stream', 'x-test': 'yes' };
  server = createServer(requestListener(async () => new Response(body, { headers })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  return response;
}

const CHUNK = new TextEncoder().encode('event: next\ndata: {}\n\n');

it('a stream retains nothing of what it has sent', async () => {
  const body = new PushedBody();
  const response = await listenTo(body.stream);
  let bytes = 0;
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
  });
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-test': 'yes' });
  let sent = 0;
  const send = async (chunks: number) => {
    for (let i = 0; i < chunks; i += 1) {
      body.push(CHUNK);
      sent += CHUNK.byteLength;
      await until(() => bytes === sent && body.isWanted);
    }
    return queryObjects(Promise, { format: 'count' });
  };
  await until(() => body.isWanted);
  const before = await send(20);
  expect(await send(400)).toBeLessThan(before + 100);
  response.destroy();
  await until(() => body.cancelled);
});

it('a body is not pulled while the client does not read', async () => {
  const body = new PushedBody();
  const response = await listenTo(body.stream);
  // More than any socket buffers.
  const large = new Uint8Array(32_000_000);
  await until(() => body.isWanted);
  body.push(large);
  const pulls = body.pulls;
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  expect(body.pulls).toBe(pulls);
  let bytes = 0;
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
  });
  await until(() => bytes === large.byteLength && body.isWanted);
  response.destroy();
  await until(() => body.cancelled);
});

it('a failing body closes its connection and leaves the server running', async () => {
  const failing = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(CHUNK);
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
