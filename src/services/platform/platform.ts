import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Chain } from '../../chain/chain.ts';
import type { ChainState } from '../../chain/chain-state.ts';
import type { ProgramDeployment } from '../../chain/cluster/deployment.ts';
import type { Deployments } from '../../chain/cluster/deployments.ts';
import type { CompletedEpoch } from '../../chain/cluster/epochs.ts';
import type { SessionRequest } from '../../chain/session-request.ts';
import type { Catalogue } from '../../config/catalogue/catalogue.ts';
import { NO_SEASONS } from '../../config/catalogue/no-seasons.ts';
import type { Seasons } from '../../config/catalogue/seasons.ts';
import type { EpochSchedule } from '../../domain/epochs.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Quotes } from '../../quotes/quote-source.ts';
import type { Freshness } from '../../store/replicas/freshness.ts';
import type { Database } from '../../store/sql.ts';
import type { ObligationIndex } from '../obligation-index/obligation-index.ts';
import { ObligationIndexes } from '../obligation-index/obligation-indexes.ts';
import type { MarketObligations } from '../obligation-index/resident-loans.ts';
import type { Session } from '../request/session.ts';
import { NO_SENDING, type SendOptions, SentTransactions } from '../sending/sent-transactions.ts';
import { Valuation } from '../tokens/valuation.ts';
import { type HistorySource, type HistoryState, NO_HISTORY } from './history-source.ts';
import { ObligationReads } from './obligation-reads.ts';
import { ResidentHolders } from './resident-holders.ts';
import {
  type Enough,
  type IngestKind,
  type IngestStatus,
  storedTransactions,
  type TransactionSource,
} from './transaction-source.ts';

export type { ProgramDeployment } from '../../chain/cluster/deployment.ts';
export type { CompletedEpoch } from '../../chain/cluster/epochs.ts';
export type { SessionRequest } from '../../chain/session-request.ts';

/** Chain status, for `chain` in the GraphQL schema and for readiness. */
export interface ChainStatus {
  readonly slot: bigint;
  /** The View's time, by the cluster's clock. */
  readonly blockTime: Date;
  /** Id of the View. */
  readonly view: string;
  readonly viewAgeMs: number;
  readonly slotDurationMs: Rational;
  readonly commitment: string;
  readonly cluster: string;
  readonly endpoints: readonly EndpointHealth[];
  readonly programs: readonly ProgramDeployment[];
}

/** The newest View, as `extensions.chain` names these. */
export interface NewestView {
  readonly view: string;
  readonly slot: string;
  readonly ageMs: number;
  /** Whether this gateway reads the chain for several, follows one that does, or reads for itself alone. */
  readonly role: ChainState['role'];
}

/** An RPC endpoint by our name for it. Its URL may contain a key and is never published. */
export interface EndpointHealth {
  readonly name: string;
  readonly healthy: boolean;
  /** Slots behind the newest known one; null before the first request. */
  readonly slotLag: bigint | null;
  /** Null before the first response. */
  readonly latencyMs: Rational | null;
}

export interface PlatformOptions {
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  /** Defaults to a deployment without seasons. */
  readonly seasons?: Seasons;
  /** Defaults to a deployment without history. */
  readonly history?: HistorySource;
  /** Defaults to what other processes have ingested. */
  readonly transactions?: TransactionSource;
  /** Defaults to a deployment that does not send transactions. */
  readonly sending?: SendOptions;
  readonly obligations?: ObligationIndexes;
  /** Defaults to a deployment that quotes no swaps. */
  readonly quotes?: Quotes | null;
}

/** Calls that one request has in flight for transactions as the RPC returns them. */
const RAW_CONCURRENCY = 4;

/** The deployment as GraphQL and REST see it. One for all requests: what a request reads is recorded in its session. */
export class Platform {
  readonly #chain: Chain;
  readonly #history: HistorySource;
  readonly #transactions: TransactionSource;
  readonly #obligations: ObligationIndexes;
  readonly catalogue: Catalogue;
  readonly seasons: Seasons;
  /** Null where this deployment quotes no swaps. */
  readonly quotes: Quotes | null;
  #isStopping = false;
  /** Relays signed transactions and follows them. */
  readonly sent: SentTransactions;
  /** Holders of vaults in Views that have positions. */
  readonly residentHolders = new ResidentHolders();
  /** Memory of the builds of all requests. */
  readonly obligationReads = new ObligationReads();

  constructor({ chain, catalogue, history = NO_HISTORY, ...options }: PlatformOptions) {
    const { programs } = chain.options;
    this.#chain = chain;
    this.#history = history;
    this.#transactions = options.transactions ?? storedTransactions(history);
    this.#obligations = options.obligations ?? new ObligationIndexes(programs.klend, chain.loans);
    this.catalogue = catalogue;
    this.seasons = options.seasons ?? NO_SEASONS;
    this.quotes = options.quotes ?? null;
    this.sent = new SentTransactions(chain.relay, programs, options.sending ?? NO_SENDING);
  }

  /** Whether this deployment has history at all. Never changes. */
  get recordsHistory(): boolean {
    return this.#history.state().status !== 'off';
  }

  historyState(): HistoryState {
    return this.#history.state();
  }

  /**
   * The database, for one request.
   *
   * @param what the requested data, for the error message
   * @param freshness the state that the reads need
   * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
   */
  historyFor(session: Session, what: string, freshness: Freshness = 'newest'): Database {
    session.dependsOn('history');
    return this.#history.database(what, freshness, session.work);
  }

  /**
   * Recorded series and facts, for work that requests share. Each of them records what its answer depends on by it.
   *
   * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
   */
  sharedHistory(what: string): Database {
    return this.#history.database(what, 'recorded');
  }

  /**
   * Ingests the new transactions of an address, as `TransactionSource` describes.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_BUSY
   */
  ingest(session: Session, address: Address, kind: IngestKind, enough?: Enough): Promise<IngestStatus> {
    session.dependsOn('history');
    const { signal, caller } = session;
    return this.#transactions.ensure(address, kind, { signal, caller, enough });
  }

  /**
   * Transactions as the RPC returns them, in order; null for one that the node no longer has.
   *
   * @throws NODE_BUDGET_EXCEEDED and errors of the RPC
   */
  async rawTransactions(
    session: Session,
    signatures: readonly string[],
  ): Promise<(Readonly<Record<string, unknown>> | null)[]> {
    const { signal } = session;
    return await this.#chain.transactions.rawTransactions(signatures, {
      concurrency: RAW_CONCURRENCY,
      signal,
      turn: async () => {
        signal.throwIfAborted();
        session.noteRpcCalls(1);
      },
    });
  }

  /** The index of a market's obligations, for Views without positions. It is newer or older than the View. */
  obligations(session: Session, market: Address): ObligationIndex {
    session.dependsOn('obligationIndex');
    return this.#obligations.of(market);
  }

  /** The obligations of a market in the View; null when it has no positions. */
  async obligationsInView({ view }: Session, market: Address): Promise<MarketObligations | null> {
    const { positions } = view;
    return positions === null ? null : await this.#obligations.resident.of(view, positions, market);
  }

  get programs(): ProgramIds {
    return this.#chain.options.programs;
  }

  /** Deployments of the programs, read in the background. */
  get deployments(): Deployments {
    return this.#chain.deployments;
  }

  /** Throws for a cluster that this deployment does not serve. Undefined means the served one. */
  requireCluster(asked: string | undefined): void {
    const { cluster: served, standsInFor } = this.#chain.options;
    if (asked !== undefined && asked !== served && asked !== standsInFor)
      throw new SluiceError('CLUSTER_NOT_SERVED', { asked, served });
  }

  /** Throws for a lending program that this deployment does not serve. Undefined means the served one. */
  requireLendingProgram(asked: Address | undefined): void {
    requireProgram('lending', this.programs.klend, asked);
  }

  /** The same for a vault program. */
  requireVaultProgram(asked: Address | undefined): void {
    requireProgram('vault', this.programs.kvault, asked);
  }

  async openSession(request: SessionRequest): Promise<Session> {
    const session = await this.#chain.openSession(request);
    Valuation.of(session.view, this.catalogue);
    return session;
  }

  /** Division of the cluster's slots into epochs; read once. */
  epochSchedule(signal: AbortSignal): Promise<EpochSchedule> {
    return this.#chain.epochs.schedule(signal);
  }

  /** The newest epochs that were over at the View's slot, newest first. Outside the View, and the same for a whole epoch. */
  completedEpochs(session: Session): Promise<readonly CompletedEpoch[]> {
    session.dependsOn('epochs');
    return this.#chain.epochs.completedAt(session.view.moment.slot, session.signal);
  }

  /** Tells load balancers, by readiness, to send no more requests. Those that come are answered. */
  drain(): void {
    this.#isStopping = true;
  }

  /** Reasons why requests should not be sent here now; empty when there are none. */
  troubles(): readonly string[] {
    const { trouble } = this.#chain.state();
    const reasons = trouble === null ? [] : [trouble];
    return this.#isStopping ? ['the gateway is stopping', ...reasons] : reasons;
  }

  /** The stream of accounts, in JSON; null where none is configured. */
  streamState(): object | null {
    const { stream } = this.#chain.state();
    return stream === null ? null : { ...stream, slot: stream.slot === null ? null : String(stream.slot) };
  }

  /** The accounts of wallets in memory, in JSON; null while there are none. */
  positionsState(): object | null {
    return this.#chain.state().positions;
  }

  /** The View that new requests use; null before the first one. */
  newest(): NewestView | null {
    const moment = this.#chain.views.newest?.moment;
    if (moment === undefined) return null;
    return {
      view: moment.id,
      slot: String(moment.slot),
      ageMs: Math.max(0, Date.now() - moment.builtAtMs),
      role: this.#chain.state().role,
    };
  }

  /**
   * Median length of recent slots in milliseconds.
   *
   * @throws VIEW_NOT_READY when no endpoint has given performance samples yet
   */
  slotDurationMs({ view }: Session): Rational {
    const { slotDurationMs, slotDurationAssumed } = view.moment;
    if (slotDurationAssumed !== true) return slotDurationMs;
    throw new SluiceError('VIEW_NOT_READY', { reason: 'no RPC endpoint has given performance samples yet' });
  }

  status(session: Session): ChainStatus {
    session.dependsOn('process');
    const { moment } = session.view;
    const { cluster, commitment } = this.#chain.options;
    return {
      slot: moment.slot,
      blockTime: new Date(Number(moment.timestamp) * 1000),
      view: moment.id,
      viewAgeMs: Math.max(0, Date.now() - moment.builtAtMs),
      slotDurationMs: moment.slotDurationMs,
      commitment,
      cluster,
      endpoints: this.#chain.state().endpoints.map(endpointHealth),
      programs: this.#chain.deployments.all(),
    };
  }
}

function endpointHealth({
  name,
  healthy,
  slotLag,
  latencyMs,
}: ChainState['endpoints'][number]): EndpointHealth {
  return { name, healthy, slotLag, latencyMs: latencyMs === null ? null : integer(Math.round(latencyMs)) };
}

function requireProgram(what: string, served: Address, asked: Address | undefined): void {
  if (asked === undefined || asked === served) return;
  const reason = `This deployment serves ${what} program ${served}, not ${asked}. Omit \`programId\`, or pass that one.`;
  throw new SluiceError('BAD_REQUEST', { reason });
}
