/** Ingests the requested addresses in a child process, so that a test can kill it at any moment. */
import { readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';
import { Ingestion } from '../../../src/ingest/ingestion.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { sourceOver } from './world-events.ts';

export interface ChildTask {
  readonly rpcUrl: string;
  readonly databaseUrl: string;
  readonly addresses: readonly Address[];
  readonly vaultsOfShares: readonly (readonly [Address, Address])[];
  readonly vaultsOfFarms: readonly (readonly [Address, Address])[];
  readonly owners: readonly (readonly [Address, Address])[];
  readonly referralFees: readonly (readonly [Address, number])[];
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ChildTask;
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
const ingestion = new Ingestion({
  source,
  onFailure: (what, error) => process.stderr.write(`${what}: ${String(error)}\n`),
});
process.stdout.write('ready\n');
const status = await ingestion.ensure(task.addresses, { caller: 'test', deadlineMs: 600_000 });
process.stdout.write(`${status.complete ? 'complete' : 'incomplete'}\n`);
await ingestion.stop();
await source.pool.close();
await db.close();
