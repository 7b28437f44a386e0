import type { Localnet } from '@sluice/localnet/localnet';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { Live } from '../live/live.ts';
import { idleTurn } from '../node/idle-turn.ts';
import { SILENT } from '../telemetry/logger.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { startTracing } from '../telemetry/tracing.ts';
import { type ChainHooks, catalogueFor, seasonsFor, startChain } from './chain.ts';
import { whenFirstViewServed } from './first-view.ts';
import type { AppHistoryOptions } from './history/history-options.ts';
import type { RequestHandler, RequestHandlerOptions } from './request-handler.ts';

/** A whole gateway: one fetch-style handler and the services that it answers from. */
export interface App extends RequestHandler {
  /** Null if RPC endpoints are configured. */
  readonly embedded: Localnet | null;
  readonly chain: Chain;
  readonly live: Live;
  /** From now on `/ready` is 503. Requests are answered until `stop`. */
  drain(): void;
  stop(): Promise<void>;
}

export interface AppHooks
  extends ChainHooks,
    Pick<AppHistoryOptions, 'onHistoryProgress'>,
    Pick<RequestHandlerOptions, 'explorerBuild'> {}

/**
 * Composition root: builds everything and starts reading the chain. The first requests wait for the first View; `/ready`
 * reports when it is there.
 */
export async function createApp(config: Config, hooks: AppHooks = {}): Promise<App> {
  const embedded = config.embedded ? await startOwnLocalnet(config) : null;
  const catalogue = await catalogueFor(config, embedded);
  const seasons = await seasonsFor(config, embedded);
  const logger = hooks.logger ?? SILENT;
  const metrics = new Metrics();
  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: config.OTEL_SERVICE_NAME,
    sampleRatio: config.OTEL_TRACES_SAMPLER_ARG,
    logger,
  });
  const chain = startChain(
    config,
    catalogue,
    embedded,
    metrics,
    tracing === null
      ? hooks
      : {
          ...hooks,
          onRpcCall: (call) => {
            tracing.rpcCalled(call);
            hooks.onRpcCall?.(call);
          },
        },
  );
  const stopping = new AbortController();
  let markHandlerLoaded = (): void => undefined;
  const handlerLoaded = new Promise<void>((resolve) => {
    markHandlerLoaded = resolve;
  });
  const firstViewServed = whenFirstViewServed(chain.views, handlerLoaded, stopping.signal);
  // The RPC is answering meanwhile: each idle turn lets its responses in before more code is loaded.
  await idleTurn();
  const { startBackends } = await import('./backends.ts');
  const backends = await startBackends({
    config,
    chain,
    catalogue,
    seasons,
    embedded,
    logger,
    metrics,
    tracing,
    firstViewServed,
    onHistoryProgress: hooks.onHistoryProgress,
  });
  await idleTurn();
  const { createRequestHandler } = await import('./request-handler.ts');
  await idleTurn();
  const { access, alerts, drift, live, platform } = backends;
  const handler = await createRequestHandler({
    config,
    chain,
    platform,
    embedded,
    access,
    alerts: alerts.registry,
    drift,
    live,
    logger,
    metrics,
    tracing,
    firstViewServed,
    explorerBuild: hooks.explorerBuild,
  });
  markHandlerLoaded();
  return {
    ...handler,
    embedded,
    chain,
    live,
    drain: () => platform.drain(),
    async stop() {
      stopping.abort();
      live.stop();
      await handler.stop();
      await backends.stop();
      await chain.stop();
      await embedded?.stop();
      await tracing?.stop();
    },
  };
}

async function startOwnLocalnet({ LOCALNET_SCALE: scale, localnetStream }: Config): Promise<Localnet> {
  const { startLocalnet } = await import('@sluice/localnet/localnet');
  return await startLocalnet({ scale, ...(localnetStream ? { geyser: {} } : {}) });
}
