import type { ProgramIds } from '@sluice/protocol/program-ids';
import { pastSnapshots } from '../src/app/seed-history/past-snapshots.ts';
import type { Chain } from '../src/chain/chain.ts';
import type { View } from '../src/chain/view/view.ts';
import type { Catalogue } from '../src/config/catalogue/catalogue.ts';
import { countAllHolders } from '../src/recorder/count-holders.ts';
import { obligationsByMarket } from '../src/recorder/scan-obligations.ts';
import { takeSnapshot } from '../src/recorder/take-snapshot.ts';
import type { HistorySource } from '../src/services/platform/history-source.ts';
import { Valuation } from '../src/services/tokens/valuation.ts';
import { openDatabase } from '../src/store/database.ts';
import { startEmbeddedDatabase } from '../src/store/embedded/embedded-database.ts';
import { writeObligationScan } from '../src/store/history/obligation-scan.ts';
import { DAY } from '../src/store/history/time-buckets.ts';
import { writeHistory, writeSnapshot } from '../src/store/history/write-snapshot.ts';
import { takeFence } from '../src/store/leases/fencing-token.ts';
import { migrate } from '../src/store/migrate.ts';

export interface ExampleHistory {
  readonly source: HistorySource;
  stop(): Promise<void>;
}

export interface ExampleHistoryOptions {
  readonly chain: Chain;
  readonly view: View;
  readonly catalogue: Catalogue;
  readonly programs: ProgramIds;
  /** Start time of the localnet, in Unix milliseconds. */
  readonly presentMs: number;
  readonly timeoutMs: number;
}

const DAY_MS = 86_400_000;
/** Each bucket is sampled once, this long before its end. */
const BEFORE_END_MS = 1_000;
const DAYS = 3;

/** Records the last days and the current state of the localnet in an in-memory database. */
export async function exampleHistory(options: ExampleHistoryOptions): Promise<ExampleHistory> {
  const { chain, view, catalogue, programs, presentMs, timeoutMs } = options;
  const server = await startEmbeddedDatabase('memory://');
  await migrate(server.url);
  const db = await openDatabase({ url: server.url, poolSize: 2, statementTimeoutMs: timeoutMs });
  const fence = await takeFence(db, 'examples');
  const moments = Array.from({ length: DAYS }, (_, i) => presentMs - (DAYS - 1 - i) * DAY_MS - BEFORE_END_MS);
  await writeHistory(db, fence, DAY, [...pastSnapshots({ scale: 1, presentMs, moments, programs })]);
  Valuation.of(view, catalogue);
  const signal = AbortSignal.timeout(timeoutMs);
  const scans = obligationsByMarket(view, await chain.scanObligations(signal));
  const present = takeSnapshot(view, {
    holders: await countAllHolders(chain, view, signal, (error) => {
      throw error;
    }),
    obligations: new Map([...scans].map(([market, { entries }]) => [market, entries.length])),
  });
  await writeSnapshot(db, fence, present);
  for (const [market, scan] of scans) {
    await writeObligationScan(db, fence, market, { sampledAt: present.sampledAt, ...scan });
  }
  return {
    source: {
      database: () => db,
      state: () => ({ status: 'ready', doing: null, percent: null, leading: true, lagMs: 0 }),
    },
    async stop() {
      await db.close();
      await server.stop();
    },
  };
}
