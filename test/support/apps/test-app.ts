import { type App, createApp } from '../../../src/app/app.ts';
import type { AccountSource } from '../../../src/chain/view/account-source.ts';
import type { View } from '../../../src/chain/view/view.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { FeedTiming } from '../../../src/feed/feed-timing.ts';
import { type Logger, SILENT } from '../../../src/telemetry/logger.ts';
import { FEED_SECRET } from '../feed/fed-chain.ts';

export interface TestAppOptions {
  readonly rpcUrls: readonly string[];
  readonly wsUrls?: readonly string[];
  /** Settings as the environment gives them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing is logged without one. */
  readonly logger?: Logger;
  readonly feedTiming?: Partial<FeedTiming>;
  readonly moreSources?: readonly AccountSource[];
  /** Folder of a built explorer. Defaults to that of this repository. */
  readonly explorerBuild?: URL;
}

export interface GraphQLFailure {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly retryable?: boolean; readonly percent?: number };
}

export interface ChainExtension {
  readonly view: string;
  readonly slot: string;
  readonly slotMin: string;
  readonly slotMax: string;
  readonly tearing: string;
  readonly rpcRequests: number;
  readonly accountsRead: number;
  readonly builtAt: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly data: T;
  readonly errors: readonly GraphQLFailure[];
  readonly extensions: { readonly chain?: ChainExtension };
  /** The raw response, to search for text that must not leak. */
  readonly text: string;
}

export interface QueryOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: unknown;
  readonly signal?: AbortSignal;
}

export interface TestApp {
  readonly app: App;
  /** Sends a GraphQL query; the test names the expected shape. */
  query<T = Record<string, unknown>>(document: string, options?: QueryOptions): Promise<Answer<T>>;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Response>;
  /** The first View from now on that matches. */
  view(wanted?: (view: View) => boolean): Promise<View>;
  stop(): Promise<void>;
}

/** Refreshes often, so that tests need not wait for a View. The time-outs never end a call, however busy the machine is. */
const USUAL: Readonly<Record<string, string>> = {
  SOLANA_CLUSTER: 'localnet',
  VIEW_REFRESH_MS: '100',
  VAULT_REFRESH_MS: '300',
  RPC_TIMEOUT_MS: '120000',
  REQUEST_TIMEOUT_MS: '120000',
  RATE_LIMIT: '0',
  METRICS_HOLD_MS: '0',
};
/** For tests that count calls: nothing is refreshed after the first View. */
export const STILL: Readonly<Record<string, string>> = {
  VIEW_REFRESH_MS: '600000',
  VAULT_REFRESH_MS: '3600000',
  DISCOVERY_INTERVAL_MS: '86400000',
  DRIFT_INTERVAL_MS: '0',
};
const ORIGIN = 'http://sluice.test';

/** A whole gateway over RPC servers of the test. It may still be waiting for its first View. */
export async function startTestApp({
  rpcUrls,
  wsUrls = [],
  env = {},
  logger = SILENT,
  feedTiming = {},
  moreSources = [],
  explorerBuild,
}: TestAppOptions): Promise<TestApp> {
  const app = await createApp(
    loadConfig({
      ...USUAL,
      SOLANA_RPC_URLS: rpcUrls.join(','),
      SOLANA_WS_URLS: wsUrls.join(','),
      ...('REDIS_URL' in env ? { STREAM_SECRET: FEED_SECRET } : {}),
      ...env,
    }),
    { logger, feedTiming, moreSources, explorerBuild },
  );
  return {
    app,
    query: (document, options) => askApp(app, document, options),
    async get(path, headers = {}, method = 'GET') {
      return await app.fetch(new Request(`${ORIGIN}${path}`, { method, headers }));
    },
    view: (wanted = () => true) =>
      new Promise((resolve) => {
        const stop = app.chain.views.onView((view) => {
          if (!wanted(view)) return;
          stop();
          resolve(view);
        });
      }),
    stop: () => app.stop(),
  };
}

/** The same, once it can answer. */
export async function startReadyApp(options: TestAppOptions): Promise<TestApp> {
  const started = await startTestApp(options);
  if (started.app.chain.views.newest === undefined) await started.view();
  // Read at the start as well; tests that count calls must not see it later.
  await started.app.chain.deployments.settled();
  return started;
}

/** Asks the graph of a gateway. */
export async function askApp<T = Record<string, unknown>>(
  app: App,
  query: string,
  options: QueryOptions = {},
): Promise<Answer<T>> {
  const { variables = {}, headers = {}, extensions, signal } = options;
  const response = await app.fetch(
    new Request(`${ORIGIN}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables, extensions }),
      signal: signal ?? null,
    }),
  );
  const text = await response.text();
  const body = JSON.parse(text) as Partial<Answer<T>>;
  return {
    status: response.status,
    data: body.data as T,
    errors: body.errors ?? [],
    extensions: body.extensions ?? {},
    text,
  };
}

/** The codes of an answer, each with the place where it happened. */
export function failures(answer: Answer<unknown>): string[] {
  return answer.errors.map(({ path = [], extensions }) => `${path.join('.')}: ${extensions?.code}`);
}
