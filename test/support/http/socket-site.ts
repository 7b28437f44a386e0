import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { App } from '../../../src/app/app.ts';
import { requestListener } from '../../../src/http/server.ts';

export interface SocketAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body, decompressed. */
  readonly text: string;
  /** Whether it came from the answer cache before the request was routed. */
  readonly cached: boolean;
}

export interface SocketSite {
  /** Without a trailing slash. */
  readonly url: string;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<SocketAnswer>;
  /** Sends this body to `/graphql`. */
  post(body: string, headers?: Readonly<Record<string, string>>): Promise<SocketAnswer>;
  close(): Promise<void>;
}

/** Labels a request, so that the site can recognise which ones missed the cache. */
const NUMBER_HEADER = 'x-test-request';

/** A gateway on a real socket, as the process serves it. */
export async function serveOnSocket(app: App): Promise<SocketSite> {
  const missed = new Set<string>();
  const listen = requestListener(app.fetch);
  const server = createServer(
    app.serveCached((incoming, outgoing) => {
      missed.add(String(incoming.headers[NUMBER_HEADER]));
      listen(incoming, outgoing);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  async function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<SocketAnswer> {
    count += 1;
    const number = String(count);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, agent: false };
      httpRequest({ ...options, headers: { [NUMBER_HEADER]: number, ...headers } }, resolve)
        .on('error', reject)
        .end(body);
    });
    const bytes = await buffer(response);
    const text = decompressed(bytes, response.headers['content-encoding']).toString();
    const { statusCode: status = 0, headers: received } = response;
    return { status, headers: received, bytes, text, cached: !missed.has(number) };
  }
  return {
    url: `http://127.0.0.1:${port}`,
    get: (path, headers = {}, method = 'GET') => send(method, path, headers),
    post: (body, headers = {}) =>
      send(
        'POST',
        '/graphql',
        {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
        body,
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function decompressed(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.byteLength === 0) return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
