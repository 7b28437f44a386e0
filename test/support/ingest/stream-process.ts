/** Follows the stream of a world in a child process, so that a test can kill it at any moment. */
import { readFileSync } from 'node:fs';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { TransactionStream } from '../../../src/chain/transactions/transaction-stream.ts';
import { ChainTransactions } from '../../../src/chain/transactions/transactions.ts';
import { StreamFollower } from '../../../src/ingest/stream/stream-follower.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { takeFence } from '../../../src/store/leases/fencing-token.ts';
import { sourceOver } from './world-events.ts';

export interface StreamTask {
  readonly geyserUrl: string;
  readonly rpcUrl: string;
  readonly databaseUrl: string;
  readonly vaultsOfShares: readonly (readonly [Address, Address])[];
  readonly vaultsOfFarms: readonly (readonly [Address, Address])[];
  readonly owners: readonly (readonly [Address, Address])[];
  readonly referralFees: readonly (readonly [Address, number])[];
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StreamTask;
const [shares, farms, fees] = [
  new Map(task.vaultsOfShares),
  new Map(task.vaultsOfFarms),
  new Map(task.referralFees),
];
const db = await openDatabase({ url: task.databaseUrl, poolSize: 4, statementTimeoutMs: 60_000 });
const source = sourceOver(task.rpcUrl, db, {
  platform: {
    edition: 1,
    vaultOfShares: (mint) => shares.get(mint) ?? null,
    vaultOfFarm: (farm) => farms.get(farm) ?? null,
    referralFeeBps: (market) => fees.get(market) ?? null,
  },
  owners: new Map(task.owners),
});
const follower = new StreamFollower({
  stream: new TransactionStream({ endpoints: [{ url: task.geyserUrl }] }),
  source,
  chain: new ChainTransactions(source.pool.rpc),
  programs: MAINNET_PROGRAMS,
  onFailure: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
  writeEveryMs: 1,
  retryMs: 10,
  fillEveryMs: 100,
});
follower.follow(await takeFence(db, 'a process'), [...shares.keys()]);
process.stdout.write('ready\n');
