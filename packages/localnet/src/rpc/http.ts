import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalChain } from '../chain.ts';
import type { Dispatcher } from './dispatch.ts';
import type { Fault, FaultInjector } from './faults.ts';
import { toChunks } from './json.ts';
import type { RequestLog } from './request-log.ts';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const SWAP_PATH = '/swap/v2/build?';
const TEXT_TYPE = { 'content-type': 'text/plain' };

/** The HTTP side of the server: JSON-RPC by POST, quotes of swaps, and a health check. */
export class HttpHandler {
  readonly #chain: Pick<LocalChain, 'exchange'>;
  readonly #dispatcher: Dispatcher;
  readonly #faults: FaultInjector;
  readonly #log: RequestLog;

  constructor(
    chain: Pick<LocalChain, 'exchange'>,
    dispatcher: Dispatcher,
    faults: FaultInjector,
    log: RequestLog,
  ) {
    this.#chain = chain;
    this.#dispatcher = dispatcher;
    this.#faults = faults;
    this.#log = log;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET' && request.url === '/health') {
      response.writeHead(200, TEXT_TYPE).end('ok');
      return;
    }
    const { exchange } = this.#chain;
    if (request.method === 'GET' && exchange !== undefined && request.url?.startsWith(SWAP_PATH)) {
      const query = new URLSearchParams(request.url.slice(SWAP_PATH.length));
      const { status, body } = exchange.build(query);
      response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
      return;
    }
    if (request.method !== 'POST') {
      response
        .writeHead(405, { ...TEXT_TYPE, allow: 'POST' })
        .end('Used HTTP Method is not allowed. POST is required\n');
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      response.writeHead(413, { ...TEXT_TYPE, connection: 'close' }).end('Payload too large\n');
      return;
    }
    this.#log.httpRequests += 1;
    this.#log.bytesReceived += body.length;
    await this.#respond(response, this.#dispatcher.answer(body.toString('utf8')));
  }

  async #respond(response: ServerResponse, { body, fault }: ReturnType<Dispatcher['answer']>): Promise<void> {
    const delayMs = this.#faults.latencyMs + (fault.delayMs ?? 0);
    const chunks = breaks(fault) || body === null ? [] : toChunks(body);
    // Unreferenced, so that a fault does not keep the process alive.
    if (delayMs > 0) await wait(delayMs, undefined, { ref: false });
    if (fault.hang === true || response.destroyed) return;
    if (fault.reset === true) {
      response.destroy();
    } else if (fault.status !== undefined) {
      if (fault.retryAfterSeconds !== undefined) response.setHeader('retry-after', fault.retryAfterSeconds);
      response.writeHead(fault.status, TEXT_TYPE);
      response.end(`status ${fault.status}\n`);
    } else if (fault.garbage === true) {
      response.writeHead(200, JSON_TYPE).end('<html><body>Bad gateway</body></html>');
    } else this.#write(response, chunks, fault.halfBody === true);
  }

  #write(response: ServerResponse, chunks: readonly Buffer[], half: boolean): void {
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    response.writeHead(200, { ...JSON_TYPE, 'content-length': length });
    if (half) {
      const start = Buffer.concat(chunks).subarray(0, Math.ceil(length / 2));
      this.#log.bytesSent += start.length;
      response.write(start, () => response.destroy());
      return;
    }
    this.#log.bytesSent += length;
    for (const chunk of chunks) response.write(chunk);
    response.end();
  }
}

/** Whether the client never sees the response itself. */
function breaks(fault: Fault): boolean {
  return fault.hang === true || fault.reset === true || fault.garbage === true || fault.status !== undefined;
}

/** Null when the body is too large. The rest is read and discarded, so that the client sees the response. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        chunks = [];
        resolve(null);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}
