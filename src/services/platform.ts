import type { Chain, ChainState, SessionRequest } from '../chain/chain.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import type { Catalogue } from '../store/catalogue/catalogue.ts';
import { type HistorySource, NO_HISTORY } from './history/source.ts';
import type { Session } from './records.ts';
import { storedTransactions, type TransactionSource } from './transaction-source.ts';
import { Valuation } from './valuation.ts';

export type { SessionRequest } from '../chain/chain.ts';

/** How the chain stands, for `chain` in the graph and for readiness. */
export interface ChainStatus {
  readonly slot: bigint;
  /** The View's own time, by the cluster's clock. */
  readonly blockTime: Date;
  readonly view: number;
  readonly viewAgeMs: number;
  readonly slotDurationMs: Rational;
  readonly commitment: string;
  readonly cluster: string;
  readonly endpoints: readonly EndpointHealth[];
}

/** The newest View, as `extensions.chain` names these. */
export interface NewestView {
  readonly view: number;
  readonly slot: string;
  readonly ageMs: number;
}

/** An RPC endpoint by a name of ours; its URL may hold a key and is never told. */
export interface EndpointHealth {
  readonly name: string;
  readonly healthy: boolean;
  /** Slots behind the newest known; null before it has been asked. */
  readonly slotLag: bigint | null;
  /** Null before it has answered. */
  readonly latencyMs: Rational | null;
}

/** What the faces need of the deployment as a whole. */
export class Platform {
  readonly #chain: Chain;
  readonly catalogue: Catalogue;

  readonly #history: HistorySource;
  readonly #transactions: TransactionSource;
  readonly #onBeyondView: () => void;

  constructor(
    chain: Chain,
    catalogue: Catalogue,
    history: HistorySource = NO_HISTORY,
    transactions: TransactionSource = storedTransactions(history),
    onBeyondView: () => void = () => undefined,
  ) {
    this.#chain = chain;
    this.catalogue = catalogue;
    this.#history = history;
    this.#transactions = transactions;
    this.#onBeyondView = onBeyondView;
  }

  /** The same platform for one request, which hears of it when something beside its View is asked for. */
  noting(onBeyondView: () => void): Platform {
    return new Platform(this.#chain, this.catalogue, this.#history, this.#transactions, onBeyondView);
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

  /** Refuses a cluster that this deployment does not serve; without a name, the served one is meant. */
  requireCluster(asked: string | undefined): void {
    const served = this.#chain.options.cluster;
    if (asked !== undefined && asked !== served)
      throw new SluiceError('CLUSTER_NOT_SERVED', { asked, served });
  }

  async openSession(request: SessionRequest): Promise<Session> {
    const session = await this.#chain.openSession(request);
    Valuation.of(session.view, this.catalogue);
    return session;
  }

  /** Reasons why requests cannot be answered now; none when they can. */
  troubles(): readonly string[] {
    const { trouble } = this.#chain.state();
    return trouble === null ? [] : [trouble];
  }

  /** What is answered from now; null before the first View. */
  newest(): NewestView | null {
    const moment = this.#chain.views.newest?.moment;
    if (moment === undefined) return null;
    return {
      view: moment.number,
      slot: String(moment.slot),
      ageMs: Math.max(0, Date.now() - moment.builtAtMs),
    };
  }

  status(session: Session): ChainStatus {
    this.#onBeyondView();
    const { moment } = session.view;
    const { cluster, commitment } = this.#chain.options;
    return {
      slot: moment.slot,
      blockTime: new Date(Number(moment.timestamp) * 1000),
      view: moment.number,
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
