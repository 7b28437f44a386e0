import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { GeyserClient } from '../src/client.ts';

it('can be closed at any moment of connecting', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  for (let turns = 0; turns < 40; turns += 1) {
    const client = new GeyserClient({ url: `http://127.0.0.1:${port}` });
    const failed = expect(client.getVersion(signal)).rejects.toThrow('UNAVAILABLE');
    for (let i = 0; i < turns % 8; i += 1) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    await failed;
  }
  server.close();
});
