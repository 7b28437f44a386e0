import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a gateway sees it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (response: ServerResponse) => void;

/** A real HTTP server that gives each request the next of its replies, and the last one for ever. */
export interface ScriptedGateway {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  reply(...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const requests: SeenRequest[] = [];
  let replies: readonly Reply[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    const [next, ...later] = replies;
    if (later.length > 0) replies = later;
    next?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    reply(...given) {
      replies = given;
      requests.splice(0);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param retryAfter the header, as text */
export const json = (status: number, body: unknown, retryAfter?: string): Reply => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

export const html = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => {
  return (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Proxy</h1>');
};

/** An answer whose whole operation failed. */
export const failure = (code: string, extensions: object, status = 500, retryAfter?: string): Reply =>
  json(status, { errors: [{ message: `It is ${code}.`, extensions: { code, ...extensions } }] }, retryAfter);

/** Closes the connection without an answer. */
export const dropped: Reply = (response) => {
  response.destroy();
};

/** Closes the connection in the middle of the body. */
export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data":', () => response.destroy());
};

/** Never answers. */
export const silence: Reply = () => undefined;

/** Server-sent events, after which the connection stays open, is closed, or breaks. */
export const events = (text: string, then: 'open' | 'end' | 'break'): Reply => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(text, () => {
      if (then === 'end') response.end();
      if (then === 'break') response.destroy();
    });
  };
};

export const next = (body: unknown): string => `event: next\ndata: ${JSON.stringify(body)}\n\n`;
export const COMPLETE = 'event: complete\ndata\n\n';
