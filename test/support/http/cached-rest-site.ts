import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../../../src/app/app.ts';

export interface SocketAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Whether it came from what is kept, before any routing. */
  readonly kept: boolean;
}

export interface KeptSite {
  ask(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<SocketAnswer>;
  close(): Promise<void>;
}

/** A gateway on a real socket, as the process serves it. */
export async function serveKeptSite(app: App): Promise<KeptSite> {
  let kept = false;
  const usualWay = getRequestListener(app.fetch);
  const server = createServer((incoming, outgoing) => {
    kept = app.answerKept(incoming, outgoing);
    if (!kept) usualWay(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async ask(path, headers = {}, method = 'GET') {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, resolve)
          .on('error', reject)
          .end();
      });
      const bytes = await buffer(response);
      return { status: response.statusCode ?? 0, headers: response.headers, bytes, kept };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
