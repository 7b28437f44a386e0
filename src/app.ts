import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { startAccess } from './app-access.ts';
import { type ChainHooks, catalogueFor, startChain } from './app-chain.ts';
import { startDrift } from './app-drift.ts';
import type { AppFaces } from './app-faces.ts';
import { chainFirst } from './app-first.ts';
import { startHistory } from './app-history.ts';
import { startLive } from './app-live.ts';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import type { EmbeddedChain } from './demo/embedded-chain.ts';
import type { Live } from './live/live.ts';
import { Platform } from './services/platform.ts';
import { type Logger, SILENT } from './telemetry/logger.ts';
import { Metrics } from './telemetry/metrics.ts';
import { startTracing } from './telemetry/tracing.ts';

/** A whole gateway: one fetch-style handler, and what runs behind it. */
export interface App extends AppFaces {
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
  const access = await startAccess(config, logger, metrics, after);
  const onStatement = tracing === null ? undefined : tracing.statementEnded.bind(tracing);
  const history = startHistory({ config, chain, catalogue, embedded, logger, metrics, onStatement, after });
  const drift = startDrift({ config, chain, catalogue, logger, metrics });
  const platform = new Platform(chain, catalogue, history.source, {
    // Half of a request's time is for reading; what is not read by then goes on behind it.
    ensure: async (address, kind, signal, enough) =>
      await history
        .transactions('What happened in the past')
        .ensureIngested(address, kind, { deadlineMs: config.REQUEST_TIMEOUT_MS / 2, signal, enough }),
  });
  const live = startLive(config, chain, metrics);
  // The first View is on its way meanwhile: what has come of it is taken between one part and the next.
  await turnOfTheLoop();
  await import('./graphql/types.ts');
  await turnOfTheLoop();
  await import('./graphql/schema.ts');
  await turnOfTheLoop();
  const { createFaces } = await import('./app-faces.ts');
  await turnOfTheLoop();
  const faces = await createFaces({
    config,
    chain,
    platform,
    embedded,
    access,
    drift,
    live,
    logger,
    metrics,
    tracing,
    after,
  });
  return {
    ...faces,
    embedded,
    chain,
    live,
    async stop() {
      stopping.abort();
      live.stop();
      await faces.stop();
      await access.stop();
      await drift.stop();
      await history.stop();
      await chain.stop();
      await embedded?.stop();
      await tracing?.stop();
    },
  };
}

/** Loaded when there is no other chain. */
async function embeddedChain({ DEMO_SCALE: scale }: Config): Promise<EmbeddedChain> {
  const { startEmbeddedChain } = await import('./demo/embedded-chain.ts');
  return await startEmbeddedChain({ scale });
}
