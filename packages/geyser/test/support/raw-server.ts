import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

export interface RawServer {
  readonly url: string;
  readonly sessions: ServerHttp2Session[];
  stop(): Promise<void>;
}

/** A server that answers each stream as a test says, within the protocol or not. */
export async function rawServer(
  answer: (stream: ServerHttp2Stream, path: string) => void,
): Promise<RawServer> {
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  server.on('session', (session: ServerHttp2Session) => {
    sessions.push(session);
    session.on('error', () => session.destroy());
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, String(headers[':path']));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

/** A TCP proxy that can stop to forward without closing. */
export async function freezableProxy(target: string) {
  let isFrozen = false;
  const sockets: Socket[] = [];
  const { hostname, port } = new URL(target);
  const server = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.push(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (data) => {
        if (!isFrozen) to.write(data);
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze() {
      isFrozen = true;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
