import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { idleConnections } from '../../src/app/access.ts';
import { loadConfig } from '../../src/config/config.ts';
import { boundIdleConnections, type IdleConnectionsOptions } from '../../src/http/idle-connections.ts';

const opened: Socket[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Answers `/now` at once, and any other request never. */
async function serve(options: Partial<IdleConnectionsOptions>): Promise<Server> {
  const server = createServer(({ url }, response) => void (url === '/now' && response.end('ok')));
  boundIdleConnections(server, { perNetwork: 5, graceMs: 0, networkOf: () => 'one', ...options });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

async function open(server: Server, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 1) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    // The server resets what it closes.
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  opened.push(...sockets);
  return sockets;
}

const openOf = (sockets: readonly Socket[]) => sockets.map(({ destroyed }) => !destroyed);
const requested = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

it('closes the connections of a network that have been idle longest, and no other', async () => {
  const server = await serve({});
  const [busy] = await open(server, 1);
  busy?.write(requested('/never'));
  const sockets = await open(server, 12);
  const last = sockets.map((_, i) => i >= 7);
  await vi.waitFor(() => expect(openOf(sockets)).toEqual(last), { timeout: 60_000 });
  expect(busy?.destroyed).toBe(false);
});

it('counts a connection whose request was answered as idle again', async () => {
  const server = await serve({});
  const sockets = await open(server, 8);
  for (const socket of sockets) {
    socket.write(requested('/now'));
    await once(socket, 'data');
  }
  const last = sockets.map((_, i) => i >= 3);
  await vi.waitFor(() => expect(openOf(sockets)).toEqual(last), { timeout: 60_000 });
});

it('leaves proxies alone', async () => {
  const server = await serve({ networkOf: () => null });
  const limited = await serve({});
  const sockets = await open(server, 12);
  const others = await open(limited, 12);
  await vi.waitFor(() => expect(openOf(others).filter((isOpen) => isOpen)).toHaveLength(5), {
    timeout: 60_000,
  });
  expect(openOf(sockets)).toEqual(sockets.map(() => true));
});

it('is configured by client network, without trusted proxies', () => {
  const { networkOf, perNetwork } = idleConnections(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8' }));
  expect(perNetwork).toBe(100);
  expect(networkOf('10.1.2.3')).toBeNull();
  expect(networkOf('::ffff:10.1.2.3')).toBeNull();
  expect(networkOf('203.0.113.1')).toBe(networkOf('::ffff:203.0.113.1'));
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8::2'));
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'));
});
