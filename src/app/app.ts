import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../demo/embedded-chain.ts';
import type { Live } from '../live/live.ts';
import { idleTurn } from '../node/idle-turn.ts';
import { type Logger, SILENT } from '../telemetry/logger.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { startTracing } from '../telemetry/tracing.ts';
import { type ChainHooks, catalogueFor, startChain } from './chain.ts';
import { chainFirst } from './first-view.ts';
import type { RequestHandler } from './request-handler.ts';

/** A whole gateway: one fetch-style handler, and what runs behind it. */
export interface App extends RequestHandler {
  /** The chain that the gateway brought along, when no RPC is configured. */
  readonly embedded: EmbeddedChain | null;
  readonly chain: Chain;
  /** What subscribers are served with. */
  readonly live: Live;
  stop(): Promise<void>;
}

export interface AppHooks extends ChainHooks {
  /** Nothing is logged without one. */
  readonly logger?: Logger;
}

/** Builds everything and starts reading the chain, which the first questions wait for; `/ready` tells when it can be read. */
export async function createApp(config: Config, hooks: AppHooks = {}): Promise<App> {
  const embedded = config.embedded ? await embeddedChain(config) : null;
  const catalogue = await catalogueFor(config, embedded);
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
  const after = chainFirst(chain.views, stopping.signal);
  // The first View is on its way meanwhile: between one part and the next, what has come of it is taken and more is asked.
  await idleTurn();
  const { startBehind } = await import('./backends.ts');
  const behind = await startBehind({ config, chain, catalogue, embedded, logger, metrics, tracing, after });
  await idleTurn();
  await import('../graphql/types.ts');
  await idleTurn();
  await import('../graphql/schema.ts');
  await idleTurn();
  const { createRequestHandler } = await import('./request-handler.ts');
  await idleTurn();
  const { live } = behind;
  const handler = await createRequestHandler({
    config,
    chain,
    platform: behind.platform,
    embedded,
    access: behind.access,
    drift: behind.drift,
    live,
    logger,
    metrics,
    tracing,
    after,
  });
  return {
    ...handler,
    embedded,
    chain,
    live,
    async stop() {
      stopping.abort();
      live.stop();
      await handler.stop();
      await behind.stop();
      await chain.stop();
      await embedded?.stop();
      await tracing?.stop();
    },
  };
}

/** Loaded when there is no other chain. */
async function embeddedChain({ DEMO_SCALE: scale }: Config): Promise<EmbeddedChain> {
  const { startEmbeddedChain } = await import('../demo/embedded-chain.ts');
  return await startEmbeddedChain({ scale });
}
