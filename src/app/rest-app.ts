import type { Localnet } from '@sluice/localnet/localnet';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { getPath } from 'hono/utils/url';
import type { Config } from '../config/config.ts';
import { GRAPHQL_PATH } from '../graphql/server.ts';
import type { Responder } from '../http/answer-cache/responder.ts';
import type { Exchange } from '../http/exchange.ts';
import { internalErrorResponse } from '../http/pipeline.ts';
import { docsRoutes } from '../rest/docs/docs-routes.ts';
import { restRoutes, unknownPath } from '../rest/rest-routes.ts';
import { statusRoutes } from '../rest/status-routes.ts';
import type { Platform } from '../services/platform/platform.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { UNKNOWN_ROUTE } from '../telemetry/request-trace.ts';
import type { AppDrift } from './drift.ts';
import { LOCALNET_PATHS, localnetPage } from './localnet-page.ts';

export interface RestAppOptions {
  readonly config: Config;
  readonly platform: Platform;
  readonly embedded: Localnet | null;
  readonly drift: AppDrift;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Without a trailing slash. */
  readonly publicUrl: string | null;
  /** Rewrites aliases in a path to the documented spelling. */
  readonly documentedPath: (path: string) => string;
  readonly responder: Responder;
  /** Addresses of this deployment, by the names that the examples use. */
  readonly exampleAddresses: () => Readonly<Record<string, string>>;
}

export type RestApp = Hono<{ Bindings: Exchange }>;

/** Every path but `/graphql`: REST, its documentation and the status of the gateway. */
export function createRestApp(options: RestAppOptions): RestApp {
  const { config, platform, embedded, drift, logger, metrics, publicUrl, documentedPath, responder } =
    options;
  const app: RestApp = new Hono<{ Bindings: Exchange }>({
    getPath: (request) => documentedPath(getPath(request)),
  });
  app.use(async (c, next) => {
    await next();
    const pattern = routePath(c, -1);
    c.env.trace.route = pattern.endsWith('*') ? UNKNOWN_ROUTE : pattern;
  });
  app.onError((error, c) => internalErrorResponse(error, c.env.trace, logger));
  app.route(
    '/',
    statusRoutes({
      platform,
      metrics,
      drift: () => drift.state(),
      localnet: config.SOLANA_CLUSTER === 'localnet',
      metricsHoldMs: config.METRICS_HOLD_MS,
    }),
  );
  app.route('/', docsRoutes(options.exampleAddresses));
  app.route(
    '/',
    restRoutes({
      platform,
      logger,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      maxBodyBytes: config.MAX_BODY_BYTES,
      viewRefreshMs: config.VIEW_REFRESH_MS,
      publicUrl,
      responder,
    }),
  );
  app.get('/', (c) => c.redirect(GRAPHQL_PATH));
  if (embedded !== null) app.on('GET', LOCALNET_PATHS, (c) => c.json(localnetPage(embedded)));
  app.notFound((c) => c.json(unknownPath(getPath(c.req.raw), c.req.path), 404));
  return app;
}
