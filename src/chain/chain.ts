import type { Commitment } from '@solana/kit';
import type { ProgramIds } from '../programs/program-ids.ts';
import { AccountReader } from './account-reader.ts';
import { type Decoders, decodersFor } from './kinds.ts';
import {
  createEndpointPool,
  type EndpointPool,
  type EndpointStatus,
  type RpcCall,
} from './rpc/endpoint-pool.ts';
import { ChainSession } from './session.ts';
import { ViewKeeper } from './view-keeper.ts';
import { ViewStore } from './view-store.ts';
import { Watcher } from './watcher.ts';

export interface ChainOptions {
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  readonly programs: ProgramIds;
  readonly cluster: string;
  readonly commitment: Commitment;
  readonly viewRefreshMs: number;
  readonly vaultRefreshMs: number;
  readonly discoveryIntervalMs: number;
  readonly viewsKept: number;
  readonly rpcTimeoutMs: number;
  readonly rpcMaxAttempts: number;
  readonly rpcConcurrency: number;
  readonly onRpcCall?: (call: RpcCall) => void;
  readonly onRefreshFailure?: (error: unknown) => void;
}

/** Which state of the chain a request wants to read. */
export interface SessionRequest {
  /** A View that an earlier answer named. */
  readonly view?: number | undefined;
  /** Read-your-writes: not before this slot. */
  readonly minSlot?: bigint | undefined;
  readonly signal: AbortSignal;
}

export interface ChainState {
  readonly endpoints: readonly EndpointStatus[];
  readonly notifications: boolean;
  /** Why there is no View, or no new one; null while all is well. */
  readonly trouble: string | null;
}

/** The chain: endpoint pool, batched reads, the View and what keeps it new. */
export class Chain {
  readonly options: ChainOptions;
  readonly views: ViewStore;
  readonly #pool: EndpointPool;
  readonly #reader: AccountReader;
  readonly #decoders: Decoders;
  readonly #keeper: ViewKeeper;
  readonly #watcher: Watcher;

  constructor(options: ChainOptions) {
    this.options = options;
    this.#pool = createEndpointPool({
      urls: options.rpcUrls,
      timeoutMs: options.rpcTimeoutMs,
      maxAttempts: options.rpcMaxAttempts,
      maxConcurrencyPerEndpoint: options.rpcConcurrency,
      ...(options.onRpcCall === undefined ? {} : { onCall: options.onRpcCall }),
    });
    this.#reader = new AccountReader(this.#pool.rpc, options);
    this.#decoders = decodersFor(options.programs);
    this.views = new ViewStore(options.viewsKept);
    this.#keeper = new ViewKeeper({
      rpc: this.#pool.rpc,
      reader: this.#reader,
      store: this.views,
      programs: options.programs,
      commitment: options.commitment,
      viewRefreshMs: options.viewRefreshMs,
      vaultRefreshMs: options.vaultRefreshMs,
      discoveryIntervalMs: options.discoveryIntervalMs,
      // A refresh may have to go through all attempts on several levels of accounts.
      refreshTimeoutMs: options.rpcTimeoutMs * options.rpcMaxAttempts,
      ...(options.onRefreshFailure === undefined ? {} : { onFailure: options.onRefreshFailure }),
    });
    this.#watcher = new Watcher({
      urls: options.wsUrls,
      programs: options.programs,
      commitment: options.commitment,
      keeper: this.#keeper,
    });
  }

  start(): void {
    this.#keeper.start();
    this.#watcher.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#watcher.stop(), this.#keeper.stop()]);
    await this.#pool.close();
  }

  /** The chain for one request: on the newest View, on a View that it names, or on one that has reached its slot. */
  async openSession({ view, minSlot, signal }: SessionRequest): Promise<ChainSession> {
    const chosen = view === undefined ? await this.#viewReaching(minSlot, signal) : this.views.numbered(view);
    const sources = { reader: this.#reader, decoders: this.#decoders, views: this.views };
    return new ChainSession(chosen, sources, signal);
  }

  state(): ChainState {
    const { lastError } = this.#keeper;
    const waiting = this.views.newest === undefined ? 'the first View is being read' : null;
    return {
      endpoints: this.#pool.status(),
      notifications: this.#watcher.connected,
      trouble: lastError === null ? waiting : `the chain cannot be read (${lastError})`,
    };
  }

  async #viewReaching(minSlot: bigint | undefined, signal: AbortSignal) {
    if (minSlot === undefined || minSlot <= this.views.current().moment.slot) return this.views.current();
    this.#keeper.hurry();
    return await this.views.reaching(minSlot, signal);
  }
}
