import { type Config, loadServingConfig } from '../config/config.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { ignoreAbandonedFields } from './abandoned-fields.ts';
import { createApp } from './app.ts';
import { chainFailureLog, endpointLog } from './chain-failure-log.ts';
import { drain } from './drain.ts';
import { listen } from './listen.ts';
import { openProgramLog } from './program-log.ts';

/**
 * Starts a gateway from the environment and stops it gracefully on SIGINT or SIGTERM. A setting that cannot be used ends
 * the process with one line instead of a stack trace.
 */
export async function runGateway(): Promise<void> {
  try {
    await startGateway(loadServingConfig());
  } catch (error) {
    if (!isCodedError(error, 'CONFIG_INVALID') && !isCodedError(error, 'CATALOGUE_INVALID')) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function startGateway(config: Config): Promise<void> {
  ignoreAbandonedFields();
  const log = await openProgramLog(config.LOG_LEVEL);
  const { logger, terminal } = log;
  const app = await createApp(config, {
    logger,
    onRefreshFailure: chainFailureLog(logger, config.embedded),
    ...endpointLog(logger),
    onHistoryProgress: (percent) =>
      terminal?.showProgress(percent === null ? null : `Generating history: ${percent} %`),
  });
  const { createHttpServer } = await import('../http/server.ts');
  const { idleConnections } = await import('./access.ts');
  const server = createHttpServer(app, {
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    idleConnections: idleConnections(config),
  });
  const url = await listen(server, config).catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  let stopping = false;
  const atOnce = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      // A person at a terminal does not wait for load balancers.
      if (signal === 'SIGINT') atOnce.abort();
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'stopping');
      app.drain();
      await drain(server, {
        drainMs: config.DRAIN_MS,
        atOnce: atOnce.signal,
        graceMs: config.SHUTDOWN_GRACE_MS,
        onClosing: () => app.live.stop(),
      });
      await app.stop();
      logger.info('stopped');
      log.end();
    });
  }
  // Printed last, because a reader may send a signal as soon as it appears.
  const chain = app.embedded === null ? `the RPC endpoints of ${config.SOLANA_CLUSTER}` : 'its localnet';
  const page = config.EXPLORER === 'on' ? '' : '/graphql';
  const started = `Sluice on ${url}${page}, over ${chain}`;
  if (terminal === undefined) process.stdout.write(`${started}\n`);
  else terminal.print(started);
}
