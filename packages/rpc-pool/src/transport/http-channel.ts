import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import { abandonOn } from '../abort.ts';
import { AttemptFailure, type RefusedBody } from './attempt-failure.ts';
import { BodyBudget, type BodyShare } from './body-budget.ts';
import { BODIES_IN_FLIGHT_BYTES, MAX_BODY_BYTES } from './body-limits.ts';

/** Larger than every page of accounts. Larger bodies are rare and are not joined in reused memory. */
export const MAX_REUSED_BYTES = 4 * 1024 * 1024;

/** A gzip body ends with its uncompressed size. */
const GZIP_SIZE_BYTES = 4;

const decompress = promisify(gunzip);

/**
 * Read buffer shared by all connections. Node's HTTP parser copies each chunk before the next read. By default, Node
 * allocates 64 KB for every read, which doubles the memory of all answers.
 */
const SHARED_READ = {
  buffer: Buffer.allocUnsafeSlow(256 * 1024),
  callback(this: Socket, bytes: number, buffer: Uint8Array): boolean {
    this.emit('data', buffer.subarray(0, bytes));
    return true;
  },
};

export interface HttpRequest<T> {
  readonly body: string;
  readonly timeoutMs: number;
  /** The most bytes that the answer may have, decompressed. */
  readonly maxBytes?: number;
  /**
   * Parses the body, at once or later. It must not retain the buffer, whose memory is reused; nor may it read one of up to
   * `MAX_REUSED_BYTES` later.
   */
  readonly read: (body: Buffer) => T;
}

export interface HttpReply<T> {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Result of `read`. */
  readonly body: T;
  /** Size of the body on the wire. */
  readonly bytes: number;
  /** Time from sending the request to the headers of the reply. */
  readonly waitMs: number;
}

/** A body that is still compressed. */
class Compressed {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** The server closed an idle connection while it was being reused; the request was not processed. */
class StaleConnection extends Error {}

/** POSTs to one URL over keep-alive connections. docs/benchmarks.md compares it with undici. */
export class HttpChannel {
  readonly #agent: http.Agent;
  readonly #options: http.RequestOptions;
  readonly #request: typeof http.request;

  readonly #budget: BodyBudget;

  /** The budget is shared with other channels. */
  constructor(url: URL, maxIdleConnections: number, budget = new BodyBudget(BODIES_IN_FLIGHT_BYTES)) {
    this.#budget = budget;
    const secure = url.protocol === 'https:';
    const agentOptions = { keepAlive: true, maxFreeSockets: maxIdleConnections, onread: SHARED_READ };
    this.#agent = secure ? new https.Agent(agentOptions) : new http.Agent(agentOptions);
    this.#request = secure ? https.request : http.request;
    this.#options = { ...urlToHttpOptions(url), agent: this.#agent, method: 'POST' };
  }

  /**
   * Does not follow redirects: they would send the key in the URL to another host.
   * @throws AttemptFailure, or the reason of the signal when that is aborted
   */
  async post<T>(
    { body, timeoutMs, maxBytes = MAX_BODY_BYTES, read }: HttpRequest<T>,
    signal: AbortSignal,
  ): Promise<HttpReply<Awaited<T>>> {
    const attempt = new AbortController();
    const unlink = abandonOn(signal, (reason) => attempt.abort(reason));
    const timer = setTimeout(() => {
      attempt.abort(new AttemptFailure('RPC_TIMEOUT', { reason: `no answer in ${timeoutMs} ms` }));
    }, timeoutMs);
    try {
      for (;;) {
        using share = this.#budget.open();
        const room: Room = { maxBytes, share };
        try {
          const reply = await this.#exchange(body, read, room, attempt.signal);
          const { body: result } = reply;
          return {
            ...reply,
            body: await (result instanceof Compressed ? read(await inflate(result.bytes, room)) : result),
          };
        } catch (error) {
          // Each retry uses up one idle connection, so the loop ends.
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
    room: Room,
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
        // Every response emits 'close'; creating an error each time would be expensive.
        const halfBody = () => {
          if (!settled) settle(reject, badResponse('the body ended early'));
        };
        response.on('data', (chunk: Buffer) => {
          if (settled) return;
          bytes += chunk.length;
          const refusal = take(room, bytes, chunk.length);
          if (refusal === null) chunks.push(chunk);
          else {
            chunks.length = 0;
            settle(reject, refusal);
          }
        });
        response.on('error', halfBody);
        response.on('close', halfBody);
        response.on('end', () => {
          if (settled) return;
          if (!response.complete) return halfBody();
          const { statusCode: status = 0, headers } = response;
          try {
            const compressed = headers['content-encoding'] === 'gzip';
            const body = compressed ? new Compressed(Buffer.concat(chunks)) : read(join(chunks, bytes));
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
      // Never removed: a destroyed request may still emit an error.
      request.on('error', (error) => settle(reject, connectionFailure(error, request.reusedSocket)));
      const unlink = abandonOn(signal, (reason) => settle(reject, reason));
      request.end(body);
    });
  }
}

/** Growth that the body budget allows. */
interface Room {
  readonly maxBytes: number;
  readonly share: BodyShare;
}

/** Reserves memory for more bytes of a body. Returns the failure when there is none. */
function take({ maxBytes, share }: Room, totalBytes: number, moreBytes: number): AttemptFailure | null {
  if (totalBytes > maxBytes) return refusedBody('the body is too large', 'TOO_LARGE');
  return share.reserve(moreBytes) ? null : refusedBody('too many bytes are in flight', 'OVER_BUDGET');
}

/** Reused memory in which the chunks of a body are joined. A body is parsed before the next is joined. */
let joined = Buffer.alloc(0);

function join(chunks: readonly Buffer[], bytes: number): Buffer {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  if (bytes > MAX_REUSED_BYTES) return Buffer.concat(chunks);
  if (bytes > joined.length) joined = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(joined, at);
  return joined.subarray(0, bytes);
}

/** Decompresses in one step where the trailer allows it: every output chunk costs a trip to another thread. */
async function inflate(body: Buffer, room: Room): Promise<Buffer> {
  const claimed = body.length < GZIP_SIZE_BYTES ? 0 : body.readUInt32LE(body.length - GZIP_SIZE_BYTES);
  const refusal = take(room, claimed, claimed);
  if (refusal !== null) throw refusal;
  const inflated = await inflateTo(body, Math.max(claimed, 1));
  if (inflated !== null) return inflated;
  // Several gzip members: the trailer has the size of the last one.
  const more = take(room, room.maxBytes, room.maxBytes - claimed);
  if (more !== null) throw more;
  const whole = await inflateTo(body, room.maxBytes);
  if (whole === null) throw refusedBody('the body is too large', 'TOO_LARGE');
  return whole;
}

/** Null when the body is larger. */
async function inflateTo(body: Buffer, maxOutputLength: number): Promise<Buffer | null> {
  // One more byte, so that zlib sees the end of the stream in the same step.
  const chunkSize = Math.min(Math.max(maxOutputLength + 1, constants.Z_MIN_CHUNK), MAX_REUSED_BYTES);
  try {
    return await decompress(body, { maxOutputLength, chunkSize });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw badResponse('the body cannot be decompressed');
  }
}

/** Keeps only the code of a system error; its message contains the host. */
function connectionFailure(error: NodeJS.ErrnoException, reused: boolean): Error {
  const code = /^[A-Z][A-Z0-9_]+$/.test(error.code ?? '') ? (error.code ?? '') : 'connection error';
  if (code.startsWith('HPE_')) return badResponse('the answer is not HTTP');
  if (reused && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection();
  return new AttemptFailure('RPC_UNAVAILABLE', { reason: code });
}

function badResponse(reason: string): AttemptFailure {
  return new AttemptFailure('RPC_BAD_RESPONSE', { reason });
}

function refusedBody(reason: string, kind: RefusedBody): AttemptFailure {
  // A full budget is the sum of all endpoints, and says nothing about one of them.
  return new AttemptFailure('RPC_BAD_RESPONSE', {
    reason,
    refusedBody: kind,
    endpointAtFault: kind === 'TOO_LARGE',
  });
}
