import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { filled, type Present } from './placeholders.ts';
import { latestBlockhash, signedBy } from './signed-transactions.ts';
import type { Attack } from './targets.ts';

export interface Answered {
  /** 0 without a whole answer. */
  readonly status: number;
  /** From sending to the last byte. */
  readonly ms: number;
  readonly bytes: number;
  /** Seconds after which a refused request may be sent again. */
  readonly retryAfter: number;
}

const JSON_TYPE = 'application/json';
/** The client gives up long after the gateway should have answered. */
const GIVE_UP_MS = 60_000;

/** A blockhash lives for about a minute. */
const BLOCKHASH_MS = 20_000;

/** Sends requests on behalf of many clients over reused connections. */
export class Sender {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #renewing: NodeJS.Timeout | undefined;
  #blockhash = '11111111111111111111111111111111';

  /** @param rpcUrl of the chain, for the transactions in requests; null when none has any */
  constructor(url: string, rpcUrl: string | null = null) {
    this.#url = new URL(url);
    if (rpcUrl === null) return;
    const renew = async () => {
      this.#blockhash = await latestBlockhash(rpcUrl);
    };
    void renew();
    this.#renewing = setInterval(() => void renew(), BLOCKHASH_MS);
  }

  /** The request as it is sent now. */
  filled({ target, body, ...attack }: Attack): Attack {
    const present: Present = {
      now: Date.now(),
      signed: (draw, number) => signedBy(draw, number, this.#blockhash),
    };
    const path = target.replace(/%3C[^&]*?%3E/g, (text) =>
      encodeURIComponent(filled(decodeURIComponent(text), present)),
    );
    return { ...attack, target: path, body: body === null ? null : filled(body, present) };
  }

  async send(attack: Attack, client: string): Promise<Answered> {
    const started = performance.now();
    let [status, bytes, retryAfter] = [0, 0, 0];
    try {
      const response = await this.#open(attack, client, JSON_TYPE, AbortSignal.timeout(GIVE_UP_MS));
      retryAfter = Number(response.headers['retry-after'] ?? 0);
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      status = response.statusCode ?? 0;
    } catch {
      // No whole answer: the gateway closed the connection, or the client gave up.
      status = 0;
    }
    return { status, ms: performance.now() - started, bytes, retryAfter };
  }

  /** Opens a stream and reads it until the signal is aborted. Resolves to the status of the answer. */
  async stream(attack: Attack, client: string, signal: AbortSignal): Promise<number> {
    const response = await this.#open(attack, client, 'text/event-stream', signal);
    response.on('error', () => undefined);
    response.resume();
    return response.statusCode ?? 0;
  }

  close(): void {
    clearInterval(this.#renewing);
    this.#agent.destroy();
  }

  #open(attack: Attack, client: string, usual: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, target, body, accept = usual } = this.filled(attack);
    return new Promise((resolve, reject) => {
      const { hostname: host, port } = this.#url;
      const headers = {
        accept,
        'x-forwarded-for': client,
        ...(body === null
          ? {}
          : { 'content-type': JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) }),
      };
      const options = { host, port, path: target, method, headers, agent: this.#agent, signal };
      httpRequest(options, resolve)
        .on('error', reject)
        .end(body ?? undefined);
    });
  }
}

/** Addresses of clients that no other client shares. */
export class Clients {
  #last = 0;

  next(): string {
    this.#last += 1;
    return `10.${(this.#last >> 16) & 255}.${(this.#last >> 8) & 255}.${this.#last & 255}`;
  }
}
