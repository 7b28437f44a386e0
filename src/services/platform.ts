import type { Address } from '@solana/kit';
import type { Chain, ChainState, SessionRequest } from '../chain/chain.ts';
import type { CompletedEpoch } from '../chain/epochs.ts';
import type { EpochSchedule } from '../domain/epochs.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import type { Catalogue } from '../store/catalogue/catalogue.ts';
import { type HistorySource, NO_HISTORY } from './history/source.ts';
import { LoanIndexes, type LoanIndexesOptions } from './loan-index/loan-indexes.ts';
import type { Session } from './records.ts';
import { NO_SENDING, type SendOptions, SentTransactions } from './sending/sent-transactions.ts';
import { storedTransactions, type TransactionSource } from './transaction-source.ts';
import { Valuation } from './valuation.ts';

export type { SessionRequest } from '../chain/chain.ts';
export type { CompletedEpoch } from '../chain/epochs.ts';

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

/** The deployment as GraphQL and REST see it. */
export class Platform {
  readonly #chain: Chain;
  readonly catalogue: Catalogue;

  readonly #history: HistorySource;
  readonly #transactions: TransactionSource;
  readonly #onBeyondView: () => void;
  readonly #loans: LoanIndexes;
  /** Relays signed transactions and follows them. */
  readonly sent: SentTransactions;

  constructor(
    chain: Chain,
    catalogue: Catalogue,
    history: HistorySource = NO_HISTORY,
    transactions: TransactionSource = storedTransactions(history),
    sending: SendOptions | SentTransactions = NO_SENDING,
    onBeyondView: () => void = () => undefined,
    loans: LoanIndexesOptions | LoanIndexes = {},
  ) {
    this.#chain = chain;
    this.catalogue = catalogue;
    this.#history = history;
    this.#transactions = transactions;
    this.sent =
      sending instanceof SentTransactions
        ? sending
        : new SentTransactions(chain.relay, chain.options.programs, sending);
    this.#onBeyondView = onBeyondView;
    this.#loans =
      loans instanceof LoanIndexes
        ? loans
        : new LoanIndexes(chain.options.programs.klend, chain.loans, loans);
  }

  /** A copy for one request, which calls the listener when data outside the View is used. */
  withBeyondViewListener(onBeyondView: () => void): Platform {
    return new Platform(
      this.#chain,
      this.catalogue,
      this.#history,
      this.#transactions,
      this.sent,
      onBeyondView,
      this.#loans,
    );
  }

  /** The loans of each market. They are newer or older than the View. */
  get loans(): LoanIndexes {
    this.#onBeyondView();
    return this.#loans;
  }

  get history(): HistorySource {
    this.#onBeyondView();
    return this.#history;
  }

  get transactions(): TransactionSource {
    this.#onBeyondView();
    return this.#transactions;
  }

  get programs(): ProgramIds {
    return this.#chain.options.programs;
  }

  /** Throws for a cluster that this deployment does not serve. Undefined means the served one. */
  requireCluster(asked: string | undefined): void {
    const { cluster: served, standsInFor } = this.#chain.options;
    if (asked !== undefined && asked !== served && asked !== standsInFor)
      throw new SluiceError('CLUSTER_NOT_SERVED', { asked, served });
  }

  /** Throws for a lending program that this deployment does not serve. Undefined means the served one. */
  requireLendingProgram(asked: Address | undefined): void {
    const served = this.programs.klend;
    if (asked === undefined || asked === served) return;
    const reason = `This deployment serves lending program ${served}, not ${asked}. Omit \`programId\`, or pass that one.`;
    throw new SluiceError('BAD_REQUEST', { reason });
  }

  async openSession(request: SessionRequest): Promise<Session> {
    const session = await this.#chain.openSession(request);
    Valuation.of(session.view, this.catalogue);
    return session;
  }

  /** How the cluster divides slots into epochs; read once. */
  epochSchedule(signal: AbortSignal): Promise<EpochSchedule> {
    return this.#chain.epochs.schedule(signal);
  }

  /** The newest epochs that were over at the View's slot, newest first. Outside the View, and the same for a whole epoch. */
  completedEpochs({ view, signal }: Session): Promise<readonly CompletedEpoch[]> {
    return this.#chain.epochs.completedAt(view.moment.slot, signal);
  }

  /** Reasons why requests cannot be served now; empty when they can. */
  troubles(): readonly string[] {
    const { trouble } = this.#chain.state();
    return trouble === null ? [] : [trouble];
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
    this.#onBeyondView();
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
