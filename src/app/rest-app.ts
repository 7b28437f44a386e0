import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { getPath } from 'hono/utils/url';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../demo/embedded-chain.ts';
import { GRAPHQL_PATH } from '../graphql/server.ts';
import type { KeptAnswers } from '../http/answer-cache/view-answers.ts';
import { internalErrorResponse, type Passage } from '../http/pipeline.ts';
import { docsRoutes } from '../rest/docs-routes.ts';
import { restRoutes, unknownPath } from '../rest/rest-routes.ts';
import { statusRoutes } from '../rest/status-routes.ts';
import type { Platform } from '../services/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { UNKNOWN_ROUTE } from '../telemetry/request-trace.ts';
import type { AppDrift } from './drift.ts';

export interface OtherPathsOptions {
  readonly config: Config;
  readonly platform: Platform;
  readonly embedded: EmbeddedChain | null;
  readonly drift: AppDrift;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Without a slash at its end. */
  readonly publicUrl: string | null;
  /** Of a path, as the routes have it. */
  readonly spelling: (path: string) => string;
  readonly kept: KeptAnswers;
}

export type OtherPaths = Hono<{ Bindings: Passage }>;

/** Every path but the graph's: REST, its documents, and how the gateway does. */
export function otherPaths(options: OtherPathsOptions): OtherPaths {
  const { config, platform, embedded, drift, logger, metrics, publicUrl, spelling, kept } = options;
  const paths: OtherPaths = new Hono<{ Bindings: Passage }>({
    getPath: (request) => spelling(getPath(request)),
  });
  paths.use(async (c, next) => {
    await next();
    const pattern = routePath(c, -1);
    c.env.trace.route = pattern.endsWith('*') ? UNKNOWN_ROUTE : pattern;
  });
  paths.onError((error, c) => internalErrorResponse(error, c.env.trace, logger));
  paths.route(
    '/',
    statusRoutes(platform, metrics, () => drift.state()),
  );
  const { REQUEST_TIMEOUT_MS: requestTimeoutMs, MAX_BODY_BYTES: maxBodyBytes } = config;
  const { VIEW_REFRESH_MS: viewRefreshMs } = config;
  paths.route('/', docsRoutes());
  paths.route(
    '/',
    restRoutes({ platform, logger, requestTimeoutMs, maxBodyBytes, viewRefreshMs, publicUrl, kept }),
  );
  paths.get('/', (c) => c.redirect(GRAPHQL_PATH));
  if (embedded !== null) paths.get('/demo.json', (c) => c.json(embedded.addresses));
  paths.notFound((c) => c.json(unknownPath(c.req.path), 404));
  return paths;
}
