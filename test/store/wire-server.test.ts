import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { serveWire } from '../../src/store/embedded/wire-server.ts';

const PASSWORD = 'correct';
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
/** Long enough never to end a connection in these tests. */
const PATIENT_MS = 600_000;

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server whose backend replies to everything that it is ready, and notes the messages. */
async function serve(limits = { clients: 4, timeoutMs: PATIENT_MS }) {
  const executed: Buffer[] = [];
  const backend = async (messages: Uint8Array) => {
    executed.push(Buffer.from(messages));
    return READY;
  };
  const server = serveWire(backend, PASSWORD, limits);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { port, executed };
}

async function open(port: number, bytes?: Uint8Array): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (bytes !== undefined) socket.write(bytes);
  return socket;
}

/** Everything that the server sends until it closes the connection. */
async function answerTo(port: number, bytes: Uint8Array): Promise<string> {
  return (await buffer(await open(port, bytes))).toString('latin1');
}

async function login(port: number): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password: PASSWORD });
  await client.connect();
  await client.end();
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const startup = Buffer.concat([uint32(9), uint32(196_608), Buffer.from([0])]);
const sslRequest = Buffer.concat([uint32(8), uint32(80_877_103)]);
const passwordMessage = (text: string) =>
  Buffer.concat([Buffer.from('p'), uint32(text.length + 5), Buffer.from(`${text}\0`)]);
const query = (text: string) =>
  Buffer.concat([Buffer.from('Q'), uint32(text.length + 5), Buffer.from(`${text}\0`)]);

describe('a client without the password', () => {
  it('cannot try a second one on the same connection', async () => {
    const { port, executed } = await serve();
    const said = await answerTo(
      port,
      Buffer.concat([startup, passwordMessage('wrong'), passwordMessage(PASSWORD), query('SELECT 1')]),
    );
    expect(said.match(/28P01/g)).toHaveLength(1);
    expect(said).not.toContain('client_encoding');
    expect(executed).toEqual([]);
  });

  it('is declined encryption once, then disconnected', async () => {
    const { port } = await serve();
    expect(await answerTo(port, Buffer.concat(Array<Buffer>(1_000).fill(sslRequest)))).toBe('N');
  });

  it('is disconnected even if it keeps its half of the connection open', async () => {
    const { port } = await serve();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(Buffer.concat([startup, passwordMessage('wrong')]));
    socket.resume();
    await once(socket, 'end');
    const server = servers[0];
    const open = () => new Promise<number>((count) => server?.getConnections((_, n) => count(n)));
    while ((await open()) > 0) await new Promise((soon) => setTimeout(soon, 5));
  });

  it('that sends nothing is disconnected after the time limit', async () => {
    const { port } = await serve({ clients: 4, timeoutMs: 1 });
    for (const bytes of [undefined, startup.subarray(0, 5)]) {
      const socket = await open(port, bytes);
      socket.resume();
      // A reset is a disconnection too.
      await new Promise((resolve) => socket.once('close', resolve));
    }
  });

  it('gives way to newer ones, so that many idle connections do not lock out our own', async () => {
    const { port } = await serve();
    const idle: Socket[] = [];
    for (let count = 0; count < 8; count += 1) idle.push(await open(port, startup));
    const closed = idle.slice(0, 4).map((socket) => {
      socket.resume();
      return socket.closed ? undefined : once(socket, 'close');
    });
    await Promise.all(closed);
    await login(port);
  });

  it('does not run anything, whatever it sends', async () => {
    const { port, executed } = await serve({ clients: 8, timeoutMs: PATIENT_MS });
    const bytes = fc.uint8Array({ maxLength: 300 });
    const framed = fc
      .tuple(fc.constantFrom('p', 'Q', 'X', 'S', 'R', '\0'), fc.nat(400), bytes)
      .map(([type, length, body]) => Buffer.concat([Buffer.from(type), uint32(length), body]));
    const parts = fc.array(fc.oneof(bytes, framed, fc.constant(startup), fc.constant(sslRequest)), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(parts, async (sent) => {
        const socket = await open(port, Buffer.concat(sent));
        socket.resume();
        socket.end();
        if (!socket.closed) await once(socket, 'close');
      }),
      { numRuns: 300 },
    );
    expect(executed).toEqual([]);
    await login(port);
  });
});

it('a client with the password that announces a message of gigabytes is disconnected', async () => {
  const { port, executed } = await serve();
  const giant = Buffer.concat([Buffer.from('Q'), uint32(0xffff_ffff)]);
  const said = await answerTo(port, Buffer.concat([startup, passwordMessage(PASSWORD), giant]));
  expect(said).toContain('client_encoding');
  expect(executed).toEqual([]);
  await login(port);
});
