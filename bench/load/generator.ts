import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveParent } from '../peers/worker.ts';
import { EventClients, type StreamTally } from './event-clients.ts';
import type { DescribedWorld } from './moving-chain.ts';
import { type Kind, type MixedRequest, mixedKinds, subscriptionOf } from './request-mix.ts';

export interface GeneratorOrder {
  readonly url: string;
  readonly chain: DescribedWorld;
  /** Multiple of the default rates. */
  readonly rate: number;
  readonly clients: number;
}

/** Results of one kind of request since the previous tally. */
export interface KindTally {
  readonly name: string;
  readonly sent: number;
  /** Milliseconds from the scheduled send time to the last byte of the answer. */
  readonly latenciesMs: readonly number[];
  readonly failed: number;
  /** The first few failures. */
  readonly wrong: readonly string[];
}

export interface Tally {
  readonly seconds: number;
  readonly kinds: readonly KindTally[];
  readonly streams: StreamTally;
}

const TICK_MS = 5;
const SOCKETS = 64;
const MAX_SAMPLES = 3;
const ANSWER_MS = 60_000;

/** Open loop: sends at a fixed rate without waiting for answers, so that queueing shows in the latencies. */
class Arrivals {
  readonly #kind: Kind;
  readonly #gapMs: number;
  readonly #send: (request: MixedRequest) => Promise<string | null>;
  #number = 0;
  #dueAt = performance.now();
  #sent = 0;
  #failed = 0;
  #latencies: number[] = [];
  #wrong: string[] = [];

  constructor(kind: Kind, rate: number, send: (request: MixedRequest) => Promise<string | null>) {
    this.#kind = kind;
    this.#gapMs = 1_000 / (kind.perSecond * rate);
    this.#send = send;
  }

  tick(now: number): void {
    for (; this.#dueAt <= now; this.#dueAt += this.#gapMs) {
      this.#sent += 1;
      this.#number += 1;
      void this.#one(this.#kind.ask(this.#number), this.#dueAt);
    }
  }

  async #one(request: MixedRequest, dueAt: number): Promise<void> {
    const wrong = await this.#send(request).catch((error: unknown) => String(error));
    this.#latencies.push(performance.now() - dueAt);
    if (wrong === null) return;
    this.#failed += 1;
    if (this.#wrong.length < MAX_SAMPLES) this.#wrong.push(`${request.path}: ${wrong}`);
  }

  take(): KindTally {
    const tally = {
      name: this.#kind.name,
      sent: this.#sent,
      latenciesMs: this.#latencies,
      failed: this.#failed,
      wrong: this.#wrong,
    };
    this.#sent = 0;
    this.#failed = 0;
    this.#latencies = [];
    this.#wrong = [];
    return tally;
  }
}

/** Sends one request. @returns a description of the failure, or null */
function sender(url: string): (request: MixedRequest) => Promise<string | null> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  return ({ path, body, expected }) =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { accept: 'application/json' };
      if (body !== undefined) {
        headers['content-type'] = 'application/json';
        headers['content-length'] = Buffer.byteLength(body);
      }
      const method = body === undefined ? 'GET' : 'POST';
      const signal = AbortSignal.timeout(ANSWER_MS);
      const sending = httpRequest({ hostname, port, path, method, headers, agent, signal }, (response) => {
        text(response).then((answer) => {
          const ok =
            response.statusCode === 200 && answer.includes(expected) && !answer.includes('"errors":[');
          resolve(ok ? null : `${response.statusCode} ${answer.slice(0, 300)}`);
        }, reject);
      });
      sending.on('error', reject);
      sending.end(body);
    });
}

let arrivals: readonly Arrivals[] = [];
let streams: EventClients | undefined;
let since = 0;
let timer: NodeJS.Timeout | undefined;

async function start({ url, chain, rate, clients }: GeneratorOrder): Promise<void> {
  streams = new EventClients(url);
  await streams.open(Array.from({ length: clients }, (_, i) => subscriptionOf(chain, i)));
  arrivals = mixedKinds(chain).map((kind) => new Arrivals(kind, rate, sender(url)));
  since = performance.now();
  timer = setInterval(() => {
    const now = performance.now();
    for (const each of arrivals) each.tick(now);
  }, TICK_MS);
}

/** Results since the previous call. */
function take(): Tally {
  const seconds = (performance.now() - since) / 1_000;
  since = performance.now();
  if (streams === undefined) throw new Error('nothing was started');
  return { seconds, kinds: arrivals.map((each) => each.take()), streams: streams.take() };
}

function stop(): void {
  clearInterval(timer);
  streams?.close();
}

serveParent(null, { start, take, stop });
