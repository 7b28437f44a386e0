import { loadConfig } from '../../src/config/config.ts';
import { FeedChannel } from '../../src/feed/feed-channel.ts';
import { feedName } from '../../src/feed/feed-name.ts';
import { FeedSeal } from '../../src/feed/feed-seal.ts';
import { packageVersion } from '../../src/node/package-version.ts';

/** The secret of all gateways of the bench. */
export const SECRET = 'a secret of the gateways of one bench';
const MAX_ENTRIES = 64;
/** Nobody takes over from the reader, however busy the machine is. */
export const LEASE_MS = 600_000;
const TIMEOUT_MS = 60_000;

/** The feed of gateways with these settings. */
export async function openFeed(redisUrl: string, rpcUrl: string) {
  const config = loadConfig({
    SOLANA_RPC_URLS: rpcUrl,
    SOLANA_CLUSTER: 'localnet',
    REDIS_URL: redisUrl,
    STREAM_SECRET: SECRET,
  });
  const name = feedName({
    cluster: config.SOLANA_CLUSTER,
    commitment: config.SOLANA_COMMITMENT,
    programs: config.programs,
    extra: [],
    version: await packageVersion(),
    secret: SECRET,
  });
  const seal = new FeedSeal(SECRET, name);
  const open = () =>
    new FeedChannel({
      url: redisUrl,
      name,
      seal,
      leaseMs: LEASE_MS,
      timeoutMs: TIMEOUT_MS,
      maxEntries: MAX_ENTRIES,
    });
  return { config, seal, open };
}
