import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay to a gRPC server that counts what the server sends. */
export interface CountedStream {
  readonly url: string;
  readonly bytes: number;
  stop(): Promise<void>;
}

export async function startCountedStream(target: string): Promise<CountedStream> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let bytes = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    client.setNoDelay();
    upstream.on('data', (chunk) => {
      bytes += chunk.length;
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get bytes() {
      return bytes;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
