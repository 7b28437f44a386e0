import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenHistory, type OpenHistoryOptions } from '../../src/app/history/open-history.ts';
import { addRange, scopeOf } from '../../src/store/transactions/slot-ranges.ts';
import { StoreMetrics } from '../../src/telemetry/store-metrics.ts';
import { postgres } from '../support/databases/test-databases.ts';
import { type HistoryDatabase, openHistory } from '../support/history/history-database.ts';
import { range } from '../support/ingest/streamed-deposits.ts';

const SUMMARY = { fromSlot: '10', toSlot: '50', gaps: 2, missingSlots: '13' };

describe.each(postgres())('the state of streamed transactions on $name', (kind) => {
  let history: HistoryDatabase;
  beforeAll(async () => {
    history = await openHistory(kind);
  });
  afterAll(() => history.drop());

  it('says which slots are complete, also in a gateway that follows no stream', async () => {
    const options = {
      db: history.db,
      chain: { options: { programs: MAINNET_PROGRAMS }, transactions: {} },
      config: { programs: MAINNET_PROGRAMS, INGEST_REQUESTS_PER_SECOND: 1 },
      embedded: null,
      status: { clearFailure: () => undefined },
      onFailure: (_: string, error: unknown) => {
        throw error;
      },
      onIngestionFailure: (_: string, error: unknown) => {
        throw error;
      },
    };
    const open = new OpenHistory(options as unknown as OpenHistoryOptions);
    expect(open.transactions).toBeUndefined();
    const scope = scopeOf(MAINNET_PROGRAMS);
    for (const [from, to] of [
      [10, 20],
      [30, 39],
      [44, 50],
    ] as const)
      await addRange(history.db, scope, range(from, to));
    open.watch();
    while (open.transactions === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(open.transactions).toEqual({ ...SUMMARY, streaming: null });
    await open.close();
  });
});

describe('the metrics of streamed transactions', () => {
  it('are absent until something has come from a stream', async () => {
    const registry = new Registry();
    let streaming: boolean | undefined;
    new StoreMetrics(registry).watchCoverage(() =>
      streaming === undefined ? undefined : { ...SUMMARY, streaming },
    );
    const values = async () =>
      (await registry.metrics())
        .split('\n')
        .filter((line) => /^sluice_ingest_(complete|gaps|missing|stream)/.test(line));
    expect(await values()).toEqual([]);
    streaming = true;
    expect(await values()).toEqual([
      'sluice_ingest_complete_from_slot 10',
      'sluice_ingest_complete_to_slot 50',
      'sluice_ingest_gaps 2',
      'sluice_ingest_missing_slots 13',
      'sluice_ingest_streaming 1',
    ]);
  });
});
