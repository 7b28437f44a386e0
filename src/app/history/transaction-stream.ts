import type { Chain } from '../../chain/chain.ts';
import { geyserAddress } from '../../chain/sources/geyser/endpoints.ts';
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
  const endpoints = config.GEYSER_URLS.map((url) => geyserAddress(url, config.GEYSER_TOKEN_HEADER));
  if (endpoints.length === 0) return null;
  return new StreamFollower({
    stream: new TransactionStream({ endpoints }),
    source: ingestion.source,
    chain: chain.transactions,
    programs: config.programs,
    onFailure,
  });
}
