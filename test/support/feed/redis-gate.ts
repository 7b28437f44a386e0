import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The way of one gateway to Redis, which a test can cut. */
export interface RedisGate {
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  open(): void;
  stop(): Promise<void>;
}

export async function startRedisGate(port: number): Promise<RedisGate> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      drop();
    },
    open() {
      isCut = false;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      drop();
      await closed;
    },
  };
}
