import { startLocalnet } from '@sluice/localnet/localnet';
import { startSeeding } from '../../src/app/seed-history/seed-history.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/store/database.ts';
import { startEmbeddedDatabase } from '../../src/store/embedded/embedded-database.ts';
import { clearTransactions } from '../../src/store/history/clear.ts';
import { takeFence } from '../../src/store/leases/fencing-token.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Cast, castOf } from './cast.ts';

/** Sent to the parent when chain and history are ready. */
export interface AbuseWorld {
  readonly url: string;
  readonly wsUrl: string;
  readonly databaseUrl: string;
  readonly catalogue: unknown;
  readonly addresses: Readonly<Record<string, string>>;
  readonly cast: Cast;
}

const STATEMENT_MS = 120_000;

/**
 * The localnet with its past in a database, outside the gateway so that neither is measured. Any message makes it
 * forget the transactions that the gateway has read.
 */
const [databaseUrl = ''] = process.argv.slice(2);
const { LOCALNET_SCALE: scale, programs } = loadConfig();
const localnet = await startLocalnet({ scale });
const url = databaseUrl === '' ? (await startEmbeddedDatabase('memory://')).url : databaseUrl;
await migrate(url);
const db = await openDatabase({ url, poolSize: 2, statementTimeoutMs: STATEMENT_MS });
const fence = await takeFence(db, 'abuse');
const seeding = startSeeding({
  scale,
  presentMs: localnet.chain.bootedAt,
  programs,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});
await seeding.write({ databaseUrl: url, fence });
process.on('message', async () => {
  await clearTransactions(db);
  process.send?.('forgotten');
});
process.once('disconnect', () => process.exit());
process.send?.({
  url: localnet.rpc.url,
  wsUrl: localnet.rpc.wsUrl,
  databaseUrl: url,
  catalogue: localnet.catalogue,
  addresses: { ...localnet.addresses },
  cast: castOf(localnet.chain.world),
} satisfies AbuseWorld);
