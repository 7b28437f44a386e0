import { printTable } from '../measure.ts';
import { threeDigits } from '../statistics.ts';
import type { Variation } from './queries.ts';
import type { Results } from './results.ts';
import { isMet, references, type Target, targets } from './targets.ts';

const VARIATIONS: Readonly<Record<Variation, string>> = {
  same: 'same',
  variables: 'distinct variables',
  documents: 'distinct documents',
  selections: 'distinct selections',
};

function section(title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length < 2) return;
  process.stdout.write(`\n${title}\n`);
  printTable(rows);
}

const NOTES = [
  'Every contender runs in its own process on plain node. All read one localnet with a stopped clock.',
  'cold: from process start. ready: from the moment it listens or is loaded. warm: the same query repeated.',
  'Servers of the same schema must return the same answer in full. The SDK must agree on names, tokens, base yields,',
  'allocations, supply yields, utilization, prices, market names, shares and loans; yields of reserves whose rates count',
  'seconds are left out, because it is older than their rule. REST must agree on yields and prices, to the last digit.',
  '@solana/rpc-graphql does not know the account layouts: it gets the addresses, returns raw bytes of',
  'vaults, reserves and markets, and decodes, values and prices nothing. The SDK gets the addresses of the vaults, too.',
  'One process generates the load; on two cores the server has a core to itself. CPU is server time per answer.',
];

const TARGET_COLUMNS = ['figure', 'unit', 'measured'];

const targetCells = ({ name, unit, value, bound, target }: Target): string[] => [
  name,
  unit,
  threeDigits(value),
  `${bound === 'min' ? '>=' : '<='} ${threeDigits(target)}`,
];

/** Prints the tables of one run. */
export function printResults(results: Results): void {
  const { world, nested, clients, throughput, wallets, footprint } = results;
  process.stdout.write(
    `${world.vaults} vaults, ${world.reserves} reserves, ${world.markets} markets; nested answer ` +
      `${(results.answerBytes / 1_000).toFixed(0)} KB; node ${results.node}, ${results.processors} cores\n`,
  );
  section('Nested read, ms', [
    ['contender', 'RPC ms', 'cold', 'ready', 'warm', 'distinct documents', 'compared'],
    ...nested.map((row) => [
      row.name,
      String(row.latencyMs),
      threeDigits(row.coldMs),
      threeDigits(row.coldReadyMs),
      threeDigits(row.warmMs),
      row.distinctMs === null ? '' : threeDigits(row.distinctMs),
      row.compared,
    ]),
  ]);
  section('Page load by a client, warm server, ms', [
    ['client', 'latency ms', 'at once', 'calls', 'ms'],
    ...clients.map(({ name, latencyMs, atOnce, calls, ms }) => [
      name,
      String(latencyMs),
      atOnce === null ? 'all' : String(atOnce),
      String(calls),
      threeDigits(ms),
    ]),
  ]);
  section('Throughput of the nested read', [
    ['server', 'requests', 'connections', 'per s', 'p50 ms', 'p99 ms', 'CPU us', 'answers'],
    ...throughput.map((row) => [
      row.name,
      VARIATIONS[row.variation],
      String(row.connections),
      threeDigits(row.perSecond),
      threeDigits(row.p50Ms),
      threeDigits(row.p99Ms),
      threeDigits(row.cpuMicros),
      String(row.answers),
    ]),
  ]);
  section('First read of a wallet portfolio, RPC 25 ms away', [
    ['contender', 'wallets', 'p50 ms', 'p99 ms', 'RPC calls'],
    ...wallets.map((row) => [
      row.name,
      String(row.wallets),
      threeDigits(row.p50Ms),
      threeDigits(row.p99Ms),
      row.rpcCalls.toFixed(1),
    ]),
  ]);
  section('Start-up and size, RPC 25 ms away', [
    ['contender', 'first answer ms', 'resident MB', 'used MB', 'install MB', 'packages'],
    ...footprint.map((row) => [
      row.name,
      threeDigits(row.startMs),
      row.rssMb.toFixed(0),
      row.rssUsedMb.toFixed(0),
      row.installMb.toFixed(0),
      String(row.packages),
    ]),
  ]);
  section('Targets', [
    [...TARGET_COLUMNS, 'target', 'met'],
    ...targets(results).map((target) => [...targetCells(target), isMet(target) ? 'yes' : 'NO']),
  ]);
  section('Further figures, for information', [
    [...TARGET_COLUMNS, 'reference'],
    ...references(results).map(targetCells),
  ]);
  process.stdout.write(`\n${NOTES.join('\n')}\n${results.seconds.toFixed(0)} s\n`);
}
