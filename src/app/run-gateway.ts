import type { Server } from 'node:http';
import { type Config, loadServingConfig } from '../config/config.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { ignoreAbandonedFields } from './abandoned-fields.ts';
import { createApp } from './app.ts';
import { chainFailureLog, endpointLog } from './chain-failure-log.ts';
import { listen } from './listen.ts';
import { openProgramLog } from './program-log.ts';

/** While stopping: how often connections that have become idle are closed. */
const IDLE_CHECK_MS = 100;

/**
 * Refuses new connections, waits up to the grace period for requests in flight, then closes what is left. Answers carry
 * `connection: close`, so that clients do not reuse their connections.
 */
async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'stopping');
      app.live.stop();
      await drain(server, config.SHUTDOWN_GRACE_MS);
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
