import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import { alertRegistry } from '../../../src/app/alerts.ts';
import { startLive } from '../../../src/app/live.ts';
import { queryLimitsOf } from '../../../src/app/parts.ts';
import { Chain } from '../../../src/chain/chain.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { parseCatalogue } from '../../../src/config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../../src/config/catalogue/format.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { SluiceError } from '../../../src/errors/sluice-error.ts';
import { knownOperations } from '../../../src/graphql/persisted/known-operations.ts';
import { createGraphQLServer } from '../../../src/graphql/server.ts';
import { REQUEST_COST } from '../../../src/http/allowance.ts';
import { AnswerCache } from '../../../src/http/answer-cache/answer-cache.ts';
import { Responder } from '../../../src/http/answer-cache/responder.ts';
import { WorkBudget } from '../../../src/node/work-budget.ts';
import { restRoutes } from '../../../src/rest/rest-routes.ts';
import { type HistorySource, NO_HISTORY } from '../../../src/services/platform/history-source.ts';
import { Platform } from '../../../src/services/platform/platform.ts';
import {
  storedTransactions,
  type TransactionSource,
} from '../../../src/services/platform/transaction-source.ts';
import { SILENT } from '../../../src/telemetry/logger.ts';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { traceOf } from '../../../src/telemetry/request-trace.ts';
import { databases } from '../databases/test-databases.ts';
import { type HistoryDatabase, openHistory, recording } from '../history/history-database.ts';
import { UNLIMITED } from '../http/unlimited.ts';
import type { Answer } from './test-app.ts';

export type HistoryMode = 'ready' | 'off' | 'starting' | 'unavailable';

export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A gateway over a frozen world and a database that the test fills; counts its statements. */
export interface HistoryWorld {
  readonly localChain: UnchangedChain;
  readonly history: HistoryDatabase;
  /** The View that answers every request until the next one. */
  readonly view: View;
  /** The View's own time. */
  readonly now: Date;
  /** That many milliseconds before it. */
  ago(ms: number): Date;
  readonly platform: Platform;
  /** Statements since the list was last cleared. */
  readonly statements: string[];
  /** Units charged after an answer, since the list was last cleared. */
  readonly charged: number[];
  mode: HistoryMode;
  /** Deletes all points but keeps the address table. */
  forget(): Promise<void>;
  /** Publishes the next View, so that nothing cached for the last one is used. */
  nextView(): Promise<View>;
  query<T = Record<string, unknown>>(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<Answer<T>>;
  get(url: string): Promise<RestReply>;
  /** The same, as it arrives. */
  fetch(url: string): Promise<Response>;
  stop(): Promise<void>;
}

const NEVER_MS = 2_000_000_000;
const POINTS = [
  ...['vault_point', 'reserve_point', 'market_point', 'price_point', 'reward_point'],
  ...['snapshot', 'leverage_point', 'loan_point', 'obligation_entry', 'collateral_use'],
];
const ORIGIN = 'http://sluice.test';
/** The payer of every request. */
export const CLIENT = 'net:203.0.113.9';

/**
 * A test that changes the world gives it a chain of its own.
 *
 * @param transactionsOver the source of transactions, given the one that only reports what is stored
 */
export async function startHistoryWorld(
  localChain: UnchangedChain = unchangedChain(),
  transactionsOver: (stored: TransactionSource) => TransactionSource = (stored) => stored,
): Promise<HistoryWorld> {
  const [kind] = databases();
  if (kind === undefined) throw new Error('there is no database to test with');
  const [history, rpc] = await Promise.all([openHistory(kind), serveChain(localChain)]);
  const config = loadConfig({});
  const chain = new Chain({
    rpcUrls: [rpc.url],
    wsUrls: [],
    programs: config.programs,
    cluster: 'localnet',
    commitment: 'confirmed',
    viewRefreshMs: 200,
    vaultRefreshMs: NEVER_MS,
    discoveryIntervalMs: NEVER_MS,
    viewsKept: 10_000,
    rpcTimeoutMs: 20_000,
    rpcMaxAttempts: 1,
    rpcConcurrency: 4,
  });
  const firstView = new Promise<View>((resolve) => chain.views.onView(resolve));
  chain.start();
  const { db, statements } = recording(history.db);
  const catalogue = worldCatalogue(localChain.worldChain.world, Date.UTC(2026, 5, 1)) as CatalogueInput;
  const source = new SwitchedHistory(db);
  const platform = new Platform({
    chain,
    catalogue: parseCatalogue(catalogue, 'the embedded catalogue'),
    history: source,
    transactions: transactionsOver(storedTransactions(source)),
  });
  const common = {
    platform,
    logger: SILENT,
    requestTimeoutMs: 20_000,
    maxBodyBytes: 1_000_000,
    publicUrl: null,
  };
  const yoga = createGraphQLServer({
    localnet: true,
    ...common,
    alerts: alertRegistry(config, null),
    exampleValues: () => ({}),
    introspection: true,
    executor: 'planned',
    persisted: await knownOperations(config),
    live: startLive(config, chain, { onKeysRead: () => () => undefined }, new Metrics()),
    limits: queryLimitsOf(config),
  });
  const responder = new Responder(new AnswerCache(), {
    newest: () => chain.views.newest?.moment.id,
    isReadable: (view) => chain.views.find(view) !== undefined,
  });
  const rest = restRoutes({ ...common, viewRefreshMs: NEVER_MS, responder });
  const charged: number[] = [];
  const accountOfRequest = () => {
    const work = new WorkBudget({ ceiling: config.MAX_QUERY_NODES, caller: CLIENT });
    work.pay(REQUEST_COST);
    return work;
  };
  const bindingsOf = ({ headers }: Request) => ({
    trace: traceOf(headers),
    startedAt: performance.now(),
    work: accountOfRequest(),
    allowance: {
      ...UNLIMITED.allowanceOf(headers, undefined, ''),
      client: CLIENT,
      charge: (cost: number) => void charged.push(cost),
    },
  });
  let pinned = await firstView;
  const about = () => ({ 'x-view': pinned.moment.id });
  const now = () => new Date(Number(pinned.moment.timestamp) * 1_000);
  const restAnswer = async (url: string): Promise<Response> => {
    const request = new Request(`${ORIGIN}${url}`, { headers: about() });
    return await rest.fetch(request, bindingsOf(request));
  };
  return {
    localChain,
    history,
    platform,
    statements,
    charged,
    get view() {
      return pinned;
    },
    get now() {
      return now();
    },
    ago(ms) {
      return new Date(now().getTime() - ms);
    },
    get mode() {
      return source.mode;
    },
    set mode(mode) {
      source.mode = mode;
    },
    async forget() {
      await history.db.run(`TRUNCATE ${POINTS.join(', ')}`);
      statements.length = 0;
    },
    nextView() {
      const { number } = pinned.moment;
      return new Promise((resolve) => {
        const stop = chain.views.onView((view) => {
          if (view.moment.number <= number) return;
          stop();
          pinned = view;
          resolve(view);
        });
      });
    },
    async query<T>(query: string, variables: Readonly<Record<string, unknown>> = {}) {
      const request = new Request(`${ORIGIN}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...about() },
        body: JSON.stringify({ query, variables }),
      });
      const response = await yoga.fetch(request, bindingsOf(request));
      const text = await response.text();
      const body = JSON.parse(text) as Partial<Answer<T>>;
      return {
        status: response.status,
        data: body.data as T,
        errors: body.errors ?? [],
        extensions: body.extensions ?? {},
        text,
      };
    },
    fetch: restAnswer,
    async get(url) {
      const response = await restAnswer(url);
      const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: isJson ? JSON.parse(text) : text,
      };
    },
    async stop() {
      await yoga.dispose();
      await chain.stop();
      await rpc.close();
      await history.drop();
    },
  };
}

class SwitchedHistory implements HistorySource {
  mode: HistoryMode = 'ready';
  readonly #db: ReturnType<HistorySource['database']>;

  constructor(db: ReturnType<HistorySource['database']>) {
    this.#db = db;
  }

  database(what: string): ReturnType<HistorySource['database']> {
    if (this.mode === 'off') return NO_HISTORY.database(what);
    if (this.mode === 'ready') return this.#db;
    throw this.mode === 'starting'
      ? new SluiceError('HISTORY_STARTING', { reason: 'the past is being generated', percent: 41 })
      : new SluiceError('HISTORY_UNAVAILABLE', { reason: 'the database is gone' });
  }

  state(): ReturnType<HistorySource['state']> {
    if (this.mode === 'off') return NO_HISTORY.state();
    if (this.mode === 'ready') {
      return { status: 'ready', doing: null, percent: null, leading: true, lagMs: 1_500 };
    }
    return this.mode === 'starting'
      ? { status: 'starting', doing: 'the past is being generated', percent: 41, leading: null, lagMs: null }
      : { status: 'unavailable', doing: 'the database is gone', percent: null, leading: null, lagMs: null };
  }
}
