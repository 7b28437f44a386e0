import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { parseExactJson } from '@sluice/rpc-pool/transport/exact-json';
import type { Address } from '@solana/kit';
import { confirmedTransaction } from '../src/chain/transactions/confirmed-transaction.ts';
import { Ingestion } from '../src/ingest/ingestion.ts';
import { readVaultEvents } from '../src/store/transactions/read-vault-events.ts';
import { databases, type TestDatabase } from '../test/support/databases/test-databases.ts';
import { openHistory } from '../test/support/history/history-database.ts';
import { platformOf, sourceOver } from '../test/support/ingest/world-events.ts';
import { startLongHistory } from '../test/support/rpc/long-history-rpc.ts';
import { nanosecondsPerCall, printTable } from './measure.ts';

const SIZES = [10, 1_000, 10_000];
/** Time for which a request waits for ingestion before it answers with the stored events. */
const DEADLINE_MS = 2_000;
const BOOT_MS = Date.UTC(2026, 5, 15);

/**
 * Decoding speed, and the time to ingest the history of a vault that is not stored yet: to its newest page, to the answer, to
 * the whole history, and for a second request. The RPC node runs in a separate process.
 */
export async function run([mode, size]: readonly string[]): Promise<void> {
  if (mode === 'serve') return await serve(Number(size));
  const localChain = createWorldChain({ now: () => BOOT_MS });
  const platform = platformOf(localChain.world);
  await printDecoding(platform);
  const rows = [
    ['database', 'transactions', 'first page', 'answer', 'whole', 'per s', 'second request', 'calls'],
  ];
  for (const kind of databases()) {
    for (const count of SIZES) rows.push(await measure(kind, count, platform));
  }
  printTable(rows);
}

async function printDecoding(platform: ReturnType<typeof platformOf>): Promise<void> {
  const node = start(1);
  const { url, vault } = JSON.parse(await firstLine(node));
  const text = await transactionText(url, vault);
  const read = createTransactionReader(MAINNET_PROGRAMS);
  const lookups = { ...platform, ownerOfObligation: () => null };
  const decoded = () =>
    (parseExactJson(text) as { result: Parameters<typeof confirmedTransaction>[1] }).result;
  const neutral = confirmedTransaction('signature', decoded());
  if (typeof neutral === 'string') throw new Error(neutral);
  const perSecond = (ns: number) => Math.round(1e9 / ns).toLocaleString('en');
  const work: readonly (readonly [string, () => unknown])[] = [
    ['RPC response to neutral form', () => confirmedTransaction('signature', decoded())],
    ['neutral form to events', () => read(neutral, lookups)],
  ];
  printTable([
    ['decoding', 'per s'],
    ...work.map(([name, each]) => [name, perSecond(nanosecondsPerCall(each))]),
  ]);
  node.kill();
}

async function measure(
  kind: TestDatabase,
  count: number,
  platform: ReturnType<typeof platformOf>,
): Promise<string[]> {
  const node = start(count);
  const { url, vault } = JSON.parse(await firstLine(node)) as { url: string; vault: Address };
  const history = await openHistory(kind);
  const source = sourceOver(url, history.db, { platform });
  const failures: unknown[] = [];
  const ingestion = new Ingestion({ source, onFailure: (_, error) => failures.push(error) });
  const page = { order: 'newestFirst', limit: 20 } as const;
  const ask = (deadlineMs: number) => ingestion.ensure([vault], { caller: 'bench', deadlineMs, maxAgeMs: 0 });
  const since = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const startedAt = performance.now();
  const answering = since(() => ask(DEADLINE_MS));
  const firstPage = await since(async () => {
    while ((await readVaultEvents(history.db, { vault }, {}, page)).length < Math.min(20, count)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  const answer = await answering;
  await ask(600_000);
  const whole = performance.now() - startedAt;
  source.calls.length = 0;
  const second = await since(async () => {
    await ask(DEADLINE_MS);
    await readVaultEvents(history.db, { vault }, {}, page);
  });
  const calls = source.calls.length;
  await ingestion.stop();
  await source.pool.close();
  await history.drop();
  node.kill();
  if (failures.length > 0) throw failures[0];
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    kind.name,
    String(count),
    ms(firstPage),
    ms(answer),
    ms(whole),
    ((count / whole) * 1_000).toFixed(0),
    ms(second),
    String(calls),
  ];
}

async function serve(count: number): Promise<void> {
  const { rpc, vault } = await startLongHistory(createWorldChain({ now: () => BOOT_MS }));
  rpc.grow(count);
  process.stdout.write(`${JSON.stringify({ url: rpc.url, vault })}\n`);
}

async function transactionText(url: string, address: Address): Promise<string> {
  const call = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return await (await fetch(url, { method: 'POST', body })).text();
  };
  const [first] = JSON.parse(await call('getSignaturesForAddress', [address, { limit: 1 }])).result;
  return await call('getTransaction', [first.signature, {}]);
}

function start(count: number): ChildProcess {
  const path = fileURLToPath(new URL('run.ts', import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path, 'transactions', 'serve', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('no output');
  const [line] = await once(createInterface(stdout), 'line');
  return String(line);
}
