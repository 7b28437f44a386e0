import type { ProgramIds } from '@sluice/protocol/program-ids';
import { createEndpointPool, type EndpointPool } from '@sluice/rpc-pool';
import type { ErrorCode } from '../errors/codes.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { scheduler } from '../node/cooperative-scheduler.ts';
import { WorkBudget } from '../node/work-budget.ts';
import { type ChainAccount, readPage } from './accounts/account-page.ts';
import { AccountReader } from './accounts/account-reader.ts';
import { ObligationIndexReads } from './accounts/obligation-index-reads.ts';
import { countHolders, type SharesToCount, scanObligations } from './accounts/scans.ts';
import type { ChainOptions } from './chain-options.ts';
import type { ChainState } from './chain-state.ts';
import { Deployments } from './cluster/deployments.ts';
import { ChainEpochs } from './cluster/epochs.ts';
import { allObligations, countResidentHolders, summaryOf } from './positions/resident-scans.ts';
import { TransactionRelay } from './relay/transaction-relay.ts';
import { ChainSession } from './session/session.ts';
import type { SessionSources } from './session/session-reads.ts';
import type { SessionRequest } from './session-request.ts';
import { accountSources } from './sources/account-sources.ts';
import { geyserEndpoints } from './sources/geyser/endpoints.ts';
import { GeyserSource } from './sources/geyser/geyser-source.ts';
import { PositionScan } from './sources/geyser/position-scan.ts';
import { streamedKinds } from './sources/geyser/streamed-kinds.ts';
import { ChainTransactions } from './transactions/transactions.ts';
import { type RefreshedObligations, readRefreshedObligations } from './view/drift-reads.ts';
import { decodersFor, timedDecoders } from './view/kinds.ts';
import { PaddingWatch } from './view/padding-watch.ts';
import type { View } from './view/view.ts';
import type { FedChain, ReadFrom, SharedClaim, ViewFeed } from './view/view-feed.ts';
import { ViewKeeper } from './view/view-keeper.ts';
import { ViewStore } from './view/view-store.ts';
import type { ViewUpdate } from './view/view-update.ts';

/** A request waits this long for the first View. */
const FIRST_VIEW_WAIT_MS = 2_000;

/** The chain: endpoint pool, batched reads, Views and their refresh. */
export class Chain implements FedChain {
  readonly options: ChainOptions;
  readonly views: ViewStore;
  /** Past transactions, by address and by signature. */
  readonly transactions: ChainTransactions;
  readonly epochs: ChainEpochs;
  /** When the programs were deployed, and which versions they are. */
  readonly deployments: Deployments;
  /** Padding that is not zero in the accounts read so far. */
  readonly padding: PaddingWatch;
  /** The obligations of a market that have debt. */
  readonly loans: ObligationIndexReads;
  /** Sends signed transactions and reads their statuses. */
  readonly relay: TransactionRelay;
  readonly #pool: EndpointPool;
  readonly #reader: AccountReader;
  readonly #sources: SessionSources;
  readonly #keeper: ViewKeeper;
  readonly #stream: GeyserSource | null;
  #feed: ViewFeed | null = null;
  #feeding: Promise<void> = Promise.resolve();

  constructor(options: ChainOptions) {
    this.options = options;
    this.#pool = createEndpointPool({
      urls: options.rpcUrls,
      timeoutMs: options.rpcTimeoutMs,
      maxAttempts: options.rpcMaxAttempts,
      maxConcurrencyPerEndpoint: options.rpcConcurrency,
      pause: () => scheduler.pause(),
      // Test validators can be warped to any slot.
      allowsWarp: options.cluster === 'localnet',
      ...(options.onRpcCall === undefined ? {} : { onCall: options.onRpcCall }),
      ...(options.onDistrust === undefined ? {} : { onDistrust: options.onDistrust }),
      onGivenUp: (slot) => {
        this.#keeper.discardAfter(slot);
        options.onGivenUp?.(slot);
      },
    });
    this.#reader = new AccountReader(this.#pool.rpc, options);
    this.views = new ViewStore(options.viewsKept);
    this.transactions = new ChainTransactions(this.#pool.rpc);
    this.epochs = new ChainEpochs(this.#pool.rpc, options.rpcTimeoutMs * options.rpcMaxAttempts);
    this.relay = new TransactionRelay(this.#pool.rpc, options.commitment);
    this.deployments = new Deployments({
      rpc: this.#pool.rpc,
      programs: options.programs,
      cluster: options.cluster,
      commitment: options.commitment,
      intervalMs: options.programsIntervalMs ?? 0,
      timeoutMs: options.rpcTimeoutMs * options.rpcMaxAttempts,
      onRedeployed: options.onRedeployed,
      onFailure: options.onDeploymentsFailure,
    });
    this.padding = new PaddingWatch(options.programs, options.onPaddingUsed);
    const plain = this.padding.around(decodersFor(options.programs));
    const decoders = options.onDecoded === undefined ? plain : timedDecoders(plain, options.onDecoded);
    this.#sources = {
      reader: this.#reader,
      decoders,
      views: this.views,
      rpc: this.#pool.rpc,
      programs: options.programs,
      commitment: options.commitment,
      deployments: this.deployments,
      padding: this.padding,
    };
    this.loans = new ObligationIndexReads(this.#sources);
    this.#stream = this.#streamOf(options);
    this.#keeper = new ViewKeeper({
      rpc: this.#pool.rpc,
      reader: this.#reader,
      store: this.views,
      programs: options.programs,
      decoders,
      ...(options.extra === undefined ? {} : { extra: options.extra }),
      commitment: options.commitment,
      viewRefreshMs: options.viewRefreshMs,
      vaultRefreshMs: options.vaultRefreshMs,
      discoveryIntervalMs: options.discoveryIntervalMs,
      sources: [
        ...accountSources({
          wsUrls: options.wsUrls,
          programs: options.programs,
          commitment: options.commitment,
          isReached: (slot, signal) => this.#pool.isReached(slot, signal),
          stream: this.#stream,
          polling: {
            intervalMs: options.viewRefreshMs,
            // A refresh may need every attempt on several levels of accounts.
            timeoutMs: options.rpcTimeoutMs * options.rpcMaxAttempts,
          },
        }),
        ...(options.moreSources ?? []),
      ],
      onBehind: (signal) => this.#pool.review(signal),
      onFailure: (error) => {
        this.#feed?.readFailed();
        options.onRefreshFailure?.(error);
      },
      admit: async (view) => this.#feed === null || (await this.#feed.admit(view)),
    });
  }

  #streamOf({
    geyserUrls = [],
    geyserTokenHeader = 'x-token',
    programs,
    commitment,
    ...options
  }: ChainOptions) {
    if (geyserUrls.length === 0) return null;
    const { onStream, streamTiming } = options;
    const kinds = streamedKinds(programs);
    return new GeyserSource({
      endpoints: geyserEndpoints(geyserUrls, geyserTokenHeader),
      programs,
      commitment,
      views: this.views,
      scan: new PositionScan({ rpc: this.#pool.rpc, reader: this.#reader, kinds, commitment }),
      reader: this.#reader,
      isReached: (slot, signal) => this.#pool.isReached(slot, signal),
      ...(onStream === undefined ? {} : { onEvent: onStream }),
      ...(streamTiming === undefined ? {} : { timing: streamTiming }),
    });
  }

  start(): void {
    const { feed } = this.options;
    this.deployments.start();
    if (feed === undefined) this.startReading();
    else this.#feeding = this.#startFeed(feed);
  }

  async #startFeed(create: (chain: FedChain) => Promise<ViewFeed>): Promise<void> {
    const feed = await create(this);
    this.#feed = feed;
    feed.start();
  }

  async stop(): Promise<void> {
    this.relay.stop();
    await this.#feeding;
    await this.#feed?.stop();
    await this.stopReading();
    await this.deployments.stop();
    await this.#pool.close();
  }

  startReading(from?: ReadFrom): void {
    this.#keeper.start(from);
  }

  async stopReading(): Promise<void> {
    await this.#keeper.stop();
  }

  get programs(): ProgramIds {
    return this.options.programs;
  }

  get lastError(): ErrorCode | null {
    return this.#keeper.lastError;
  }

  get timesDiscarded(): number {
    return this.#keeper.timesDiscarded;
  }

  adopt(update: ViewUpdate): View {
    return this.#keeper.adopt(update);
  }

  async probe(signal: AbortSignal): Promise<bigint> {
    const { commitment } = this.options;
    return (await readPage(this.#pool.rpc, [], { commitment, minSlot: 0n, signal })).slot;
  }

  get isUnchecked(): boolean {
    return this.#pool.isUnchecked;
  }

  async believes(claim: SharedClaim, signal: AbortSignal): Promise<boolean> {
    return await this.#pool.believes(claim, signal);
  }

  async review(signal: AbortSignal): Promise<void> {
    await this.#pool.review(signal);
  }

  /**
   * Opens the chain for one request: on the View it names, else on the View that it continues if that is retained, else on
   * the newest one, or one that has reached its slot.
   */
  async openSession(request: SessionRequest): Promise<ChainSession> {
    const { view, continues, minSlot, sharing } = request;
    const work = 'work' in request ? request.work : new WorkBudget({ signal: request.signal });
    const { signal } = work;
    const chosen =
      view === undefined
        ? ((await this.#viewContinued(continues, minSlot, signal)) ??
          (await this.#viewReaching(minSlot, signal)))
        : await this.#viewNamed(view, minSlot, signal);
    const reads = sharing?.reads.of(chosen, this.#reader, sharing) ?? null;
    return new ChainSession(chosen, this.#sources, work, reads);
  }

  /** Every obligation: from the View if it has positions, else a scan of their first bytes. For the recorder. */
  async scanObligations(signal: AbortSignal, view = this.views.newest): Promise<ChainAccount[]> {
    if (view !== undefined && view.positions !== null) return await allObligations(view.positions, signal);
    const found = await scanObligations(this.#sources, signal);
    await scheduler.map(found, (account) => this.padding.see(account));
    return found;
  }

  /** Number of wallets that hold a vault's shares: in the View if it has positions, else by scans. For the recorder. */
  countHolders(shares: SharesToCount, signal: AbortSignal, view = this.views.newest): Promise<number> {
    if (view !== undefined && view.positions !== null) return countResidentHolders(view.positions, shares);
    return countHolders(this.#sources, shares, signal);
  }

  /** The obligations that the program refreshed last, with their reserves, to compare our numbers with the chain's. */
  refreshedObligations(limit: number, signal: AbortSignal): Promise<RefreshedObligations> {
    const { programs, commitment } = this.options;
    const sources = { rpc: this.#pool.rpc, programs, commitment, padding: this.padding };
    return readRefreshedObligations(sources, this.views.current().moment.slot, limit, signal);
  }

  state(): ChainState {
    const positions = this.views.newest?.positions ?? null;
    const { lastError } = this.#keeper;
    const waiting =
      this.views.newest === undefined
        ? 'the first View is being read'
        : this.#pool.isUnchecked
          ? 'no RPC endpoint has confirmed the View of the other gateways yet'
          : null;
    return {
      endpoints: this.#pool.status(),
      announcedKinds: this.#keeper.announcedKinds,
      stream: this.#stream?.state ?? null,
      positions: positions === null ? null : summaryOf(positions),
      role: this.#feed?.role ?? 'standalone',
      trouble: lastError === null ? waiting : `the chain cannot be read (${lastError})`,
    };
  }

  async #viewNamed(id: string, minSlot: bigint | undefined, signal: AbortSignal): Promise<View> {
    const view = (await this.#arriving(id, signal)) ?? this.views.named(id);
    const { slotWhole } = view.moment;
    if (minSlot !== undefined && slotWhole < minSlot) {
      throw new SluiceError('MIN_SLOT_NOT_REACHED', { minSlot: String(minSlot), slot: String(slotWhole) });
    }
    return view;
  }

  async #viewContinued(id: string | undefined, minSlot = 0n, signal: AbortSignal): Promise<View | undefined> {
    const view = id === undefined ? undefined : await this.#arriving(id, signal);
    return view !== undefined && view.moment.slotWhole >= minSlot ? view : undefined;
  }

  #arriving(id: string, signal: AbortSignal): Promise<View | undefined> {
    return this.views.arriving(id, this.#feed?.arrivalMs ?? 0, signal);
  }

  async #viewReaching(minSlot: bigint | undefined, signal: AbortSignal): Promise<View> {
    // Requests wait while the first View is being read, and fail at once after that read has failed.
    if (this.#keeper.lastError === null) await this.views.first(FIRST_VIEW_WAIT_MS, signal);
    return minSlot === undefined ? this.views.current() : await this.reach(minSlot, signal);
  }

  /** Waits until the chain should have reached the slot; later reads include everything up to it. */
  async reach(minSlot: bigint, signal: AbortSignal): Promise<View> {
    const newest = this.views.current();
    if (minSlot <= newest.moment.slotWhole) return newest;
    if (this.#feed?.role === 'follower') {
      this.#feed.ask(minSlot);
      return await this.views.reaching(minSlot, 'slotWhole', signal);
    }
    if (minSlot > newest.moment.slot) {
      this.#keeper.refreshNow(minSlot);
      const view = await this.views.reaching(minSlot, 'slot', signal);
      // A View of a stream has every account of its slot.
      if (view.moment.slotWhole >= minSlot) return view;
    }
    this.#keeper.refreshAllNow();
    return await this.views.reaching(minSlot, 'slotWhole', signal);
  }
}
