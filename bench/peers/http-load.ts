import { connect } from 'node:net';
import { type GraphRequest, nested, type Variation } from './queries.ts';
import { serveParent } from './worker.ts';

/** A closed-loop run: each connection sends its next request when the previous one is answered. */
export interface LoadOrder {
  readonly url: string;
  readonly variation: Variation;
  readonly connections: number;
  readonly seconds: number;
  /** Page size of the nested query. */
  readonly vaults?: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** Per answer, milliseconds from the first byte of the request to the last byte of the answer. */
  readonly latenciesMs: readonly number[];
  /** Answers that were not 200. */
  readonly failed: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const END_OF_CHUNKS = Buffer.from('\r\n0\r\n\r\n');

/** Finds the end of each answer without parsing bodies, so that the client costs little. */
class AnswerReader {
  readonly #onAnswer: (ok: boolean) => void;
  #head: Buffer = Buffer.alloc(0);
  #inBody = false;
  #ok = false;
  /** Bytes of the body not yet received; null for a chunked answer. */
  #missing: number | null = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(onAnswer: (ok: boolean) => void) {
    this.#onAnswer = onAnswer;
  }

  push(chunk: Buffer): void {
    if (this.#inBody) {
      this.#body(chunk);
      return;
    }
    this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const text = this.#head.toString('latin1', 0, end);
    const body = this.#head.subarray(end + END_OF_HEAD.length);
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    this.#ok = text.startsWith('HTTP/1.1 200');
    this.#missing = length === undefined ? null : Number(length);
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
    this.#inBody = true;
    this.#body(body);
  }

  #body(chunk: Buffer): void {
    if (this.#missing !== null) this.#missing -= chunk.length;
    else this.#tail = Buffer.concat([this.#tail, chunk.subarray(-END_OF_CHUNKS.length)]);
    // Checking the last bytes is enough: the server sends nothing more before the next request.
    if (this.#missing === 0 || (this.#missing === null && this.#endsHere())) {
      this.#inBody = false;
      this.#onAnswer(this.#ok);
    }
  }

  #endsHere(): boolean {
    this.#tail = this.#tail.subarray(-END_OF_CHUNKS.length);
    return this.#tail.equals(END_OF_CHUNKS);
  }
}

function requestOf(url: URL, request: GraphRequest): string {
  const body = JSON.stringify(request);
  return [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    'content-type: application/json',
    'accept: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Counts across runs, so that distinct requests stay distinct for the life of the process. */
let sent = 0;

function askUntil(
  { url: address, variation, vaults }: LoadOrder,
  onAnswer: (ms: number, ok: boolean) => boolean,
): Promise<void> {
  const url = new URL(address);
  const same = requestOf(url, nested('same', 0, vaults));
  return new Promise<void>((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    let sentAt = 0;
    const send = () => {
      sent += 1;
      const request = variation === 'same' ? same : requestOf(url, nested(variation, sent, vaults));
      sentAt = performance.now();
      socket.write(request);
    };
    const reader = new AnswerReader((ok) => {
      if (onAnswer(performance.now() - sentAt, ok)) send();
      else socket.end(() => resolve());
    });
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${url.href} closed a connection before it had answered`)));
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
  });
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const { connections, seconds } = order;
  const started = performance.now();
  const until = started + seconds * 1_000;
  const latenciesMs: number[] = [];
  let failed = 0;
  const onAnswer = (ms: number, ok: boolean) => {
    latenciesMs.push(ms);
    if (!ok) failed += 1;
    return performance.now() < until;
  };
  await Promise.all(Array.from({ length: connections }, () => askUntil(order, onAnswer)));
  return { seconds: (performance.now() - started) / 1_000, latenciesMs, failed };
}

serveParent(null, { load });
