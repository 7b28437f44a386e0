import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { WatchedWrite } from './peopled-chain.ts';

interface Seen {
  readonly address: string;
  readonly slot: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

interface ObligationEvent {
  readonly data?: { readonly obligations: { readonly slot: string; readonly address: string } } | null;
}

const QUERY = `subscription ($a: [Address!]!) { obligations(addresses: $a) { slot reason address
  obligation { healthFactor deposits { amount { amount usd } } } } }`;
const DATA = 'data: ';

/** A browser's subscription to some obligations. */
export class EventTimes {
  readonly #request: ClientRequest;
  readonly #seen: Seen[] = [];
  #unread = '';
  #failure: string | null = null;

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#read(text));
    // An error is followed by `close`.
    response.on('error', () => undefined);
    response.once('close', () => {
      this.#failure ??= 'the stream has ended';
    });
  }

  static open(origin: string, addresses: readonly string[]): Promise<EventTimes> {
    const body = JSON.stringify({ query: QUERY, variables: { a: addresses } });
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${origin}/graphql`,
        { method: 'POST', headers, agent: false },
        (response) => {
          if (response.statusCode === 200) resolve(new EventTimes(request, response));
          else reject(new Error(`a subscription was answered with ${response.statusCode}`));
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /**
   * Milliseconds from each write to the first event of a View that has it. A write that a later one has overtaken before an
   * event was sent counts from itself.
   */
  latencies(writes: readonly WatchedWrite[]): { readonly ms: number[]; readonly missed: number } {
    if (this.#failure !== null) throw new Error(`a subscription failed: ${this.#failure}`);
    const ms: number[] = [];
    let missed = 0;
    for (const { address, slot, at } of writes) {
      const event = this.#seen.find((each) => each.address === address && each.slot >= BigInt(slot));
      if (event === undefined) missed += 1;
      else ms.push(event.at - at);
    }
    return { ms, missed };
  }

  close(): void {
    this.#request.destroy();
  }

  #read(text: string): void {
    const at = Date.now();
    const lines = (this.#unread + text).split('\n');
    this.#unread = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith(DATA)) continue;
      const { data } = JSON.parse(line.slice(DATA.length)) as ObligationEvent;
      if (data === undefined || data === null) this.#failure ??= line.slice(0, 300);
      else this.#seen.push({ address: data.obligations.address, slot: BigInt(data.obligations.slot), at });
    }
  }
}
