import type { StreamEvent } from '../chain/sources/geyser/stream-events.ts';
import { failureLog, type Logger } from '../telemetry/logger.ts';
import type { StreamMetrics } from '../telemetry/stream-metrics.ts';

const INTERVAL_MS = 30_000;

/** Logs and counts what happens to the stream of accounts. Endpoints are named by number, never by URL. */
export function streamLog(logger: Logger, metrics: StreamMetrics): (event: StreamEvent) => void {
  const warn = failureLog(
    logger,
    (failure) => ({
      fields: { ...(typeof failure === 'object' ? failure : {}) },
      message: 'the connection to a Geyser endpoint ended, retrying; `npm run doctor` checks the endpoints',
    }),
    INTERVAL_MS,
  );
  return (event) => {
    switch (event.type) {
      case 'CONNECTED':
        logger.info(
          { endpoint: event.endpoint, slot: String(event.slot) },
          'accounts are streamed, and positions are being loaded',
        );
        break;
      case 'RESUMED':
        logger.info(
          { endpoint: event.endpoint, slot: String(event.slot) },
          'the stream of accounts goes on where it ended; nothing was missed',
        );
        break;
      case 'LOADED':
        metrics.loaded('done');
        logger.info({ accounts: event.accounts }, 'positions of all wallets are in memory');
        break;
      case 'LOAD_FAILED':
        metrics.loaded('failed');
        logger.warn({ err: event.error }, 'loading positions failed, retrying');
        break;
      case 'CHECKED':
        metrics.checked(event.outcome);
        if (event.outcome === 'failed')
          logger.debug({ err: event.error }, 'comparing the stream with the RPC failed');
        break;
      case 'INTERRUPTED': {
        const { endpoint, reason, error } = event;
        metrics.interrupted(endpoint, reason);
        warn({ endpoint, reason, ...(error instanceof Error ? { cause: error.message } : {}) });
        break;
      }
      case 'LOST':
        metrics.lost(event.reason);
        logger.warn(
          { reason: event.reason },
          'the stream of accounts was lost: accounts are polled, and everything is loaded again when it is back',
        );
        break;
    }
  };
}
