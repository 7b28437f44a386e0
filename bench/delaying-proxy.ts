import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** One HTTP request to the chain. */
export interface ProxiedCall {
  /** The path of the address that was called, without its slash. */
  readonly client: string;
  /** `batch` for several at once. */
  readonly method: string;
  /** Size of the body on the wire. */
  readonly bytes: number;
}

export interface ProxyWatcher {
  called(call: ProxiedCall): void;
  /** A part of the answer has arrived. @param bytes size on the wire */
  answered?(call: ProxiedCall, bytes: number): void;
  /** JSON that answers a GET. */
  report?(): unknown;
}

export interface DelayingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Link {
  readonly delayMs: number;
  /** Bandwidth of all answers together. Defaults to that of the machine. */
  readonly megabitsPerSecond?: number | undefined;
}

/** A proxy to the chain that delays every call. */
export async function startDelayingProxy(
  target: string,
  { delayMs, megabitsPerSecond = Number.POSITIVE_INFINITY }: Link,
  watcher: ProxyWatcher,
): Promise<DelayingProxy> {
  const { host } = new URL(target);
  const bytesPerMs = (megabitsPerSecond * 1e6) / 8 / 1e3;
  /** When the link has sent all that it was given. */
  let freeAt = 0;
  const paced = () =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        const now = performance.now();
        freeAt = Math.max(now, freeAt) + chunk.length / bytesPerMs;
        if (freeAt - now < 1) done(null, chunk);
        else setTimeout(() => done(null, chunk), freeAt - now);
      },
    });

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(watcher.report?.() ?? {}));
      return;
    }
    const body = await buffer(request);
    const { method = 'batch' } = JSON.parse(body.toString()) as { method?: string };
    const call = { client: (request.url ?? '').slice(1), method, bytes: body.length };
    watcher.called(call);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const headers = { ...request.headers, host, 'content-length': String(body.length) };
    const forward = () => {
      const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk: Buffer) => watcher.answered?.(call, chunk.length));
        answer.pipe(paced()).pipe(response);
      });
      // The upstream may close a keep-alive connection just as it is reused.
      upstream.on('error', () => (upstream.reusedSocket ? forward() : response.destroy()));
      upstream.end(body);
    };
    forward();
  }

  const server = createServer(relay);
  // Longer than any client is idle, so that connections stay open.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
