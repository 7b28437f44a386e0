import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { isSluiceError } from './errors/sluice-error.ts';

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

/** Takes no new connections, lets requests in flight finish for as long as they may, then closes what is left. */
async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

const config = configured();
if (config === undefined) {
  process.exitCode = 1;
} else {
  const app = await createApp(config, {
    onRefreshFailure: (error) => {
      process.stderr.write(
        `reading the chain failed: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    },
  });
  const server = createServer(getRequestListener(app.fetch));
  const url = await listen(server, config);
  const chain =
    app.embedded === null ? `the RPC endpoints of ${config.SOLANA_CLUSTER}` : 'its embedded chain';
  process.stdout.write(`Sluice on ${url}/graphql, over ${chain}\n`);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      await drain(server, config.SHUTDOWN_GRACE_MS);
      await app.stop();
    });
  }
}
