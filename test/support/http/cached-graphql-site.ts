import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../../../src/app/app.ts';

export interface HotSiteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What the bytes say, whatever coding they came in. */
  readonly text: string;
  /** Whether it came straight from the socket's door. */
  readonly hot: boolean;
}

export interface HotSite {
  /** Sends these very words to the graph. */
  post(body: string, headers?: Readonly<Record<string, string>>): Promise<HotSiteAnswer>;
  close(): Promise<void>;
}

/** A gateway on a real socket, as the process serves it. */
export async function serveHotSite(app: App): Promise<HotSite> {
  const usual = new Set<string>();
  const usualWay = getRequestListener(app.fetch);
  const noted = (...[incoming, outgoing]: Parameters<typeof usualWay>) => {
    usual.add(String(incoming.headers['x-question']));
    void usualWay(incoming, outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    if (app.answerKept(incoming, outgoing) || app.answerHot(incoming, outgoing, noted)) return;
    noted(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let asked = 0;
  return {
    async post(body, headers = {}) {
      asked += 1;
      const id = String(asked);
      const given = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'x-question': id,
        ...headers,
      };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          port,
          path: '/graphql',
          method: 'POST',
          headers: given,
          agent: false,
        };
        httpRequest(options, resolve).on('error', reject).end(body);
      });
      const text = decoded(await buffer(response), response.headers['content-encoding']).toString();
      return { status: response.statusCode ?? 0, headers: response.headers, text, hot: !usual.has(id) };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
