import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import { AttemptFailure } from './attempt-failure.ts';
import { abandonOn } from './cancellation.ts';

/** Above any answer that the gateway asks for, below what fits one string. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** Above every page of accounts; what is larger comes rarely and gets memory of its own. */
const MAX_ROOM_BYTES = 4 * 1024 * 1024;

/** What is compressed ends with the size that it had. */
const GZIP_SIZE_BYTES = 4;

const decompress = promisify(gunzip);

/**
 * Where every connection reads to, one after the other: node's parser copies what it passes on, before anything else is read.
 * Node gives each 64 KB new memory otherwise, as much again as all that comes.
 */
const ARRIVALS = {
  buffer: Buffer.allocUnsafeSlow(256 * 1024),
  callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
    this.emit('data', buffer.subarray(0, bytes));
    return true;
  },
};

export interface HttpRequest<T> {
  readonly body: string;
  readonly timeoutMs: number;
  /** Takes what it needs from the body of the reply, whose memory is used again afterwards. */
  readonly read: (body: Buffer) => T;
}

export interface HttpReply<T> {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** As it was read. */
  readonly body: T;
  /** Of the body as it came over the wire. */
  readonly bytes: number;
  /** From sending the request to the head of the reply. */
  readonly waitMs: number;
}

/** Still compressed. */
class Compressed {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** The server closed an idle connection just as it was used again; the request never counted. */
class StaleConnection extends Error {}

/** POSTs to one URL over kept-alive connections. node:http moves bodies about twice as fast as fetch does. */
export class HttpChannel {
  readonly #agent: http.Agent;
  readonly #options: http.RequestOptions;
  readonly #request: typeof http.request;

  constructor(url: URL, maxIdleConnections: number) {
    const secure = url.protocol === 'https:';
    const agentOptions = { keepAlive: true, maxFreeSockets: maxIdleConnections, onread: ARRIVALS };
    this.#agent = secure ? new https.Agent(agentOptions) : new http.Agent(agentOptions);
    this.#request = secure ? https.request : http.request;
    this.#options = { ...urlToHttpOptions(url), agent: this.#agent, method: 'POST' };
  }

  /**
   * Redirects are not followed: they would take the key in the URL to another host.
   * @throws AttemptFailure, or the reason of the signal when that is aborted
   */
  async post<T>({ body, timeoutMs, read }: HttpRequest<T>, signal: AbortSignal): Promise<HttpReply<T>> {
    const attempt = new AbortController();
    const unlink = abandonOn(signal, (reason) => attempt.abort(reason));
    const timer = setTimeout(() => {
      attempt.abort(new AttemptFailure('RPC_TIMEOUT', { reason: `no answer in ${timeoutMs} ms` }));
    }, timeoutMs);
    try {
      for (;;) {
        try {
          const reply = await this.#exchange(body, read, attempt.signal);
          const { body: told } = reply;
          return { ...reply, body: told instanceof Compressed ? read(await inflate(told.bytes)) : told };
        } catch (error) {
          // Each repeat uses up one idle connection, so this ends.
          if (!(error instanceof StaleConnection)) throw error;
        }
      }
    } finally {
      clearTimeout(timer);
      unlink();
    }
  }

  /** Closes the idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  #exchange<T>(
    body: string,
    read: (body: Buffer) => T,
    signal: AbortSignal,
  ): Promise<HttpReply<T | Compressed>> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const startedAt = performance.now();
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json',
        'accept-encoding': 'gzip',
      };
      const request = this.#request({ ...this.#options, headers }, (response) => {
        const waitMs = performance.now() - startedAt;
        const chunks: Buffer[] = [];
        let bytes = 0;
        // Every response closes, and an error is dear to make.
        const halfBody = () => {
          if (!settled) settle(reject, badResponse('the body ended early'));
        };
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          chunks.push(chunk);
          if (bytes > MAX_BODY_BYTES) settle(reject, badResponse('the body is too large'));
        });
        response.on('error', halfBody);
        response.on('close', halfBody);
        response.on('end', () => {
          if (settled) return;
          if (!response.complete) return halfBody();
          const { statusCode: status = 0, headers } = response;
          try {
            const compressed = headers['content-encoding'] === 'gzip';
            const body = compressed ? new Compressed(Buffer.concat(chunks)) : read(together(chunks, bytes));
            settle(resolve, { status, retryAfter: headers['retry-after'], body, bytes, waitMs });
          } catch (error) {
            settle(reject, error);
          }
        });
      });
      let settled = false;
      const settle = <T>(how: (value: T) => void, value: T) => {
        if (settled) return;
        settled = true;
        unlink();
        how(value);
        if (how === reject) request.destroy();
      };
      // Listens to the end: a destroyed request may still emit an error.
      request.on('error', (error) => settle(reject, connectionFailure(error, request.reusedSocket)));
      const unlink = abandonOn(signal, (reason) => settle(reject, reason));
      request.end(body);
    });
  }
}

/** Where the pieces of a body are put together. They are read before the next body comes. */
let room = Buffer.alloc(0);

function together(pieces: readonly Buffer[], bytes: number): Buffer {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) return first;
  if (bytes > MAX_ROOM_BYTES) return Buffer.concat(pieces);
  if (bytes > room.length) room = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const piece of pieces) at += piece.copy(room, at);
  return room.subarray(0, bytes);
}

/**
 * With room for all of it, as far as its end tells the size: pieces are made on another thread, which is gone to for each.
 */
async function inflate(body: Buffer): Promise<Buffer> {
  const size = body.length < GZIP_SIZE_BYTES ? 0 : body.readUInt32LE(body.length - GZIP_SIZE_BYTES);
  // A byte more, so that the end is seen to be the end.
  const chunkSize = Math.min(Math.max(size + 1, constants.Z_MIN_CHUNK), MAX_ROOM_BYTES);
  try {
    return await decompress(body, { maxOutputLength: MAX_BODY_BYTES, chunkSize });
  } catch {
    throw badResponse('the body cannot be decompressed');
  }
}

/** Keeps the code of the system's error only; its message names the host. */
function connectionFailure(error: NodeJS.ErrnoException, reused: boolean): Error {
  const code = /^[A-Z][A-Z0-9_]+$/.test(error.code ?? '') ? (error.code ?? '') : 'connection error';
  if (code.startsWith('HPE_')) return badResponse('the answer is not HTTP');
  if (reused && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection();
  return new AttemptFailure('RPC_UNAVAILABLE', { reason: code });
}

function badResponse(reason: string): AttemptFailure {
  return new AttemptFailure('RPC_BAD_RESPONSE', { reason });
}
