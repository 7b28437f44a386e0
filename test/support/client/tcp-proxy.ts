import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose connections a test cuts or lets go silent, as networks do. */
export interface TcpProxy {
  readonly url: string;
  /** Number of connections made. */
  connections(): number;
  /** Closes every connection, and refuses new ones until `restore`. */
  cut(): void;
  /** Passes nothing on any more over the connections of now, without closing them. */
  silence(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let isCut = false;
  let count = 0;
  const server = createServer((client) => {
    count += 1;
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      // A cut connection is reset at its other end as well.
      from
        .on('error', () => to.destroy())
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of [...open]) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    cut,
    silence() {
      for (const socket of open) socket.unpipe();
    },
    restore() {
      isCut = false;
    },
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
