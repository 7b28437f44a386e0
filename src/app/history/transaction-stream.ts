import type { Chain } from '../../chain/chain.ts';
import { TransactionStream } from '../../chain/transactions/transaction-stream.ts';
import type { Config } from '../../config/config.ts';
import type { Ingestion } from '../../ingest/ingestion.ts';
import { StreamFollower } from '../../ingest/stream/stream-follower.ts';

/** Follows the transactions of the configured stream; null without one. */
export function streamFollowerFor(
  config: Config,
  chain: Chain,
  ingestion: Ingestion,
  onFailure: (what: string, error: unknown) => void,
): StreamFollower | null {
  const token = config.GEYSER_TOKEN === '' ? {} : { token: config.GEYSER_TOKEN };
  const endpoints = config.GEYSER_URLS.map((url) => ({ url, ...token }));
  if (endpoints.length === 0) return null;
  return new StreamFollower({
    stream: new TransactionStream({ endpoints }),
    source: ingestion.source,
    chain: chain.transactions,
    programs: config.programs,
    onFailure,
  });
}
