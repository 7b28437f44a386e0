import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sluice/localnet/world/prng';
import type { Address } from '@solana/kit';
import { BACKEND_HEADER } from '../processes/load-balancer.ts';
import type { AnswerBook } from './answer-book.ts';
import type { StampedChain } from './stamped-chain.ts';

const PAGE = `query ($after: String) {
  vaults(first: 5, after: $after, orderBy: { field: CURRENT_APY, direction: DESC }) {
    nodes { address state { tokenAvailable } idle { amount usd } currentApy { total } }
    pageInfo { endCursor hasNextPage }
  }
}`;
const RESERVES = '{ reserves(first: 100) { nodes { address available { baseUnits } supplyApy { total } } } }';
const REST_PATH = '/kvaults/vaults';
/** A request to a suspended gateway is given up after this time. */
const GIVE_UP_MS = 5_000;
const RETRY_MS = 50;

interface GraphAnswer {
  readonly data?: {
    readonly vaults?: {
      readonly nodes: readonly {
        readonly address: Address;
        readonly state: { readonly tokenAvailable: string };
      }[];
      readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
    };
    readonly reserves?: {
      readonly nodes: readonly {
        readonly address: Address;
        readonly available: { readonly baseUnits: string };
      }[];
    };
  } | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly chain?: { readonly view: string; readonly slot: string } };
}
type RestVaults = readonly {
  readonly address: Address;
  readonly state: { readonly tokenAvailable: string };
}[];

/** Way in which a client names the state that it wants. */
type Manner = 'newest' | 'view' | 'min-slot';
const MANNERS: readonly Manner[] = ['newest', 'view', 'min-slot'];

interface WantedState {
  readonly view: string | null;
  /** 0: any. */
  readonly minSlot: bigint;
}

interface Received {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Answers that clients have seen. */
export class Tally {
  answers = 0;
  walks = 0;
  /** Answers on a named View by another gateway than the one that gave the View. */
  viewsElsewhere = 0;
  /** Named Views that the gateway did not have. */
  viewsGone = 0;
  /** Requests whose slot was not reached in time. */
  late = 0;
  /** Requests that a dying or suspended gateway did not answer. */
  unanswered = 0;
}

export interface WalkingClientOptions {
  readonly url: string;
  readonly localChain: StampedChain;
  readonly book: AnswerBook;
  readonly tally: Tally;
  readonly random: Random;
}

/** Walks lists page by page over a load balancer, and enters every answer into the book. */
export class WalkingClient {
  readonly #options: WalkingClientOptions;
  #isStopped = false;
  /** The highest slot of any answer. */
  #slot = 0n;

  constructor(options: WalkingClientOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) await this.#walk();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #walk(): Promise<void> {
    const { random, tally, book, localChain } = this.#options;
    const manner = MANNERS[random.below(MANNERS.length)] ?? 'newest';
    const found: Address[] = [];
    /** View and gateway of the first page. */
    let begun: { readonly view: string; readonly backend: string | null } = { view: '', backend: null };
    let after: string | null = null;
    while (!this.#isStopped) {
      const view: string | null = manner === 'view' && after !== null ? begun.view : null;
      const state = { view, minSlot: manner === 'min-slot' ? this.#slot : 0n };
      const page = await this.#graph(PAGE, { after }, state, after === null || view !== null);
      if (page === null) return;
      const { vaults } = page.answer.data ?? {};
      if (vaults === undefined) return book.report(`a page without vaults: ${JSON.stringify(page.answer)}`);
      const backend = page.headers.get(BACKEND_HEADER);
      if (view !== null && backend !== begun.backend) tally.viewsElsewhere += 1;
      if (after === null) begun = { view: page.view, backend };
      found.push(...vaults.nodes.map(({ address }) => address));
      if (!vaults.pageInfo.hasNextPage) break;
      after = vaults.pageInfo.endCursor;
      // Numbers beside the list, from both APIs.
      if (random.chance(30)) await this.#rest(state);
      if (random.chance(30)) await this.#graph(RESERVES, {}, state, true);
    }
    if (this.#isStopped) return;
    tally.walks += 1;
    const isWhole = found.length === localChain.vaults.length && new Set(found).size === found.length;
    if (!isWhole)
      book.report(
        `a walk by ${manner} found ${found.length} of ${localChain.vaults.length} vaults: ${found}`,
      );
  }

  /** Null when the gateway does not have the View, has not reached the slot, or the client was stopped. */
  async #graph(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    state: WantedState,
    dependsOnView: boolean,
  ) {
    const received = await this.#send('/graphql', state, JSON.stringify({ query, variables }));
    if (received === null) return null;
    const answer = JSON.parse(received.text) as GraphAnswer;
    const { chain } = answer.extensions ?? {};
    if (answer.errors !== undefined || chain === undefined) {
      this.#refused(answer.errors?.[0]?.extensions?.code ?? null, state, received);
      return null;
    }
    const { vaults, reserves } = answer.data ?? {};
    const amounts = new Map<Address, bigint>();
    for (const { address, state: held } of vaults?.nodes ?? [])
      amounts.set(address, BigInt(held.tokenAvailable));
    for (const { address, available } of reserves?.nodes ?? [])
      amounts.set(address, BigInt(available.baseUnits));
    const request = dependsOnView ? `${query} ${JSON.stringify(variables)}` : null;
    const slot = BigInt(chain.slot);
    const { minSlot } = state;
    this.#see({ view: chain.view, slot, request, bytes: received.text, amounts, minSlot }, state);
    return { answer, view: chain.view, headers: received.headers };
  }

  async #rest(state: WantedState): Promise<void> {
    const received = await this.#send(REST_PATH, state, null);
    if (received === null) return;
    const { status, headers, text } = received;
    if (status !== 200) return this.#refused(headers.get('x-error-code'), state, received);
    const amounts = new Map<Address, bigint>();
    for (const { address, state: held } of JSON.parse(text) as RestVaults)
      amounts.set(address, BigInt(held.tokenAvailable));
    const bytes = `${headers.get('etag')} ${text}`;
    const [view, slot] = [headers.get('x-view') ?? '', BigInt(headers.get('x-slot') ?? 0)];
    this.#see({ view, slot, request: REST_PATH, bytes, amounts, minSlot: state.minSlot }, state);
  }

  #see(answer: Parameters<AnswerBook['see']>[0], { view }: WantedState): void {
    const { book, tally } = this.#options;
    tally.answers += 1;
    if (view !== null && answer.view !== view) book.report(`${answer.view} answers a request for ${view}`);
    if (answer.slot > this.#slot) this.#slot = answer.slot;
    book.see(answer);
  }

  #refused(code: string | null, { view, minSlot }: WantedState, received: Received) {
    const { book, tally } = this.#options;
    if (code === 'VIEW_GONE' && view !== null) tally.viewsGone += 1;
    else if (code === 'MIN_SLOT_NOT_REACHED' && minSlot > 0n) tally.late += 1;
    else book.report(`refused: ${received.status} ${received.text.slice(0, 300)}`);
  }

  /** Sends until some gateway answers. */
  async #send(path: string, { view, minSlot }: WantedState, body: string | null): Promise<Received | null> {
    const { url, tally } = this.#options;
    const headers = {
      ...(view === null ? {} : { 'x-view': view }),
      ...(minSlot === 0n ? {} : { 'x-min-slot': String(minSlot) }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    while (!this.#isStopped) {
      try {
        const signal = AbortSignal.timeout(GIVE_UP_MS);
        const method = body === null ? 'GET' : 'POST';
        const response = await fetch(`${url}${path}`, { method, headers, signal, body });
        const text = await response.text();
        if (response.status !== 502 && response.status !== 503)
          return { status: response.status, text, headers: response.headers };
      } catch {
        // The connection broke or the time is up.
      }
      tally.unanswered += 1;
      await sleep(RETRY_MS);
    }
    return null;
  }
}
