import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { isSluiceError } from './errors/sluice-error.ts';
import { createLogger, failureLog } from './telemetry/logger.ts';

/** A client that sends slowly holds a connection, and no more than this. */
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 30_000;
const SLOW_CLIENTS_CHECK_MS = 5_000;
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

const config = configured();
if (config === undefined) {
  process.exitCode = 1;
} else {
  const logger = createLogger(config.LOG_LEVEL);
  const app = await createApp(config, {
    logger,
    onRefreshFailure: failureLog(logger, 'reading the chain failed', REFRESH_FAILURE_INTERVAL_MS),
  }).catch((error: unknown) => {
    if (!isSluiceError(error, 'CATALOGUE_INVALID')) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  const slowClients = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: BODY_TIMEOUT_MS,
    connectionsCheckingInterval: SLOW_CLIENTS_CHECK_MS,
  };
  const usualWay = getRequestListener(app.fetch);
  const server = createServer(slowClients, (incoming, outgoing) => {
    if (!app.answerKept(incoming, outgoing)) usualWay(incoming, outgoing);
  });
  const url = await listen(server, config);
  const chain =
    app.embedded === null ? `the RPC endpoints of ${config.SOLANA_CLUSTER}` : 'its embedded chain';
  process.stdout.write(`Sluice on ${url}/graphql, over ${chain}\n`);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'stopping');
      await drain(server, config.SHUTDOWN_GRACE_MS);
      await app.stop();
      logger.info('stopped');
    });
  }
}
