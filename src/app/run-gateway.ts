import type { Server } from 'node:http';
import { type Config, loadConfig } from '../config/config.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { createLogger, failureLog } from '../telemetry/logger.ts';
import { createApp } from './app.ts';

/** While stopping: how soon a connection is closed after its last answer. */
const IDLE_CHECK_MS = 100;
const REFRESH_FAILURE_INTERVAL_MS = 30_000;

function configured(): Config | undefined {
  try {
    return loadConfig();
  } catch (error) {
    if (!isSluiceError(error, 'CONFIG_INVALID')) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

function listen(server: Server, { PORT, HOST }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : PORT;
      resolve(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`);
    });
  });
}

/**
 * Takes no new connections, lets requests in flight finish for as long as they may, then closes what is left. Clients are
 * told not to send more on the connections that they have.
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

/** Starts a gateway from the environment, and stops it in order on SIGINT or SIGTERM. */
export async function runGateway(): Promise<void> {
  const config = configured();
  if (config === undefined) {
    process.exitCode = 1;
    return;
  }
  const logger = createLogger(config.LOG_LEVEL);
  const app = await createApp(config, {
    logger,
    onRefreshFailure: failureLog(logger, 'reading the chain failed', REFRESH_FAILURE_INTERVAL_MS),
  }).catch((error: unknown) => {
    // What a setting names is looked at there, too.
    if (!isSluiceError(error, 'CATALOGUE_INVALID') && !isSluiceError(error, 'CONFIG_INVALID')) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  const { createHttpServer } = await import('../http/server.ts');
  const server = createHttpServer(app, { requestTimeoutMs: config.REQUEST_TIMEOUT_MS });
  const url = await listen(server, config);
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
    });
  }
  // The last: who reads it may tell the process to stop at once.
  const chain =
    app.embedded === null ? `the RPC endpoints of ${config.SOLANA_CLUSTER}` : 'its embedded chain';
  process.stdout.write(`Sluice on ${url}/graphql, over ${chain}\n`);
}
