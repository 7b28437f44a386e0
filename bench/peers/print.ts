import { printTable } from '../measure.ts';
import { threeDigits } from '../statistics.ts';
import type { Variation } from './questions.ts';
import type { Results } from './results.ts';
import { isMet, targets } from './targets.ts';

const ASKED: Readonly<Record<Variation, string>> = {
  same: 'the same',
  variables: 'other variables',
  documents: 'other documents',
  selections: 'other selections',
};

function section(title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length < 2) return;
  process.stdout.write(`\n${title}\n`);
  printTable(rows);
}

const NOTES = [
  'Every contender is a process of its own on plain node, over one embedded chain whose clock stands still.',
  'cold: from the start of the process; asked: from when it listened or was loaded; then: the same question again.',
  'The answers of all servers of our schema are compared whole. Of the SDK: names, tokens, base yields, what is lent',
  'where, supply yields, utilization, prices, market names, shares and loans. Of REST: yields and prices, to the last digit.',
  '@solana/rpc-graphql knows no layout of these programs: it reads the bytes of vaults, reserves and markets, by addresses',
  'that it is given, and decodes, values and prices nothing. The SDK is given the vaults’ addresses, too.',
  'Load comes from one process; on two cores the server has one for itself. CPU is the server’s time for one answer.',
];

/** The tables of one run. */
export function printResults(results: Results): void {
  const { world, nested, clients, throughput, wallets, footprint } = results;
  process.stdout.write(
    `${world.vaults} vaults, ${world.reserves} reserves, ${world.markets} markets; the nested answer has ` +
      `${(results.answerBytes / 1_000).toFixed(0)} KB; node ${results.node}, ${results.processors} cores\n`,
  );
  section('Nested read, ms', [
    ['contender', 'RPC ms', 'cold', 'asked', 'then', 'other documents', 'compared'],
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
    ['way', 'client ms', 'at once', 'calls', 'ms'],
    ...clients.map(({ name, latencyMs, atOnce, calls, ms }) => [
      name,
      String(latencyMs),
      atOnce === null ? 'all' : String(atOnce),
      String(calls),
      threeDigits(ms),
    ]),
  ]);
  section('Throughput of the nested read', [
    ['server', 'asked', 'connections', 'per s', 'p50 ms', 'p99 ms', 'CPU us', 'answers'],
    ...throughput.map((row) => [
      row.name,
      ASKED[row.variation],
      String(row.connections),
      threeDigits(row.perSecond),
      threeDigits(row.p50Ms),
      threeDigits(row.p99Ms),
      threeDigits(row.cpuMicros),
      String(row.answers),
    ]),
  ]);
  section('Portfolio of a wallet not asked for before, RPC 25 ms away', [
    ['contender', 'wallets', 'p50 ms', 'p99 ms', 'RPC calls'],
    ...wallets.map((row) => [
      row.name,
      String(row.wallets),
      threeDigits(row.p50Ms),
      threeDigits(row.p99Ms),
      row.rpcCalls.toFixed(1),
    ]),
  ]);
  section('Start and size, RPC 25 ms away', [
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
  section('Promised', [
    ['ratio', 'is', 'shall be', 'unit', ''],
    ...targets(results).map((target) => [
      target.name,
      threeDigits(target.value),
      `${target.bound === 'least' ? '>=' : '<='} ${threeDigits(target.wanted)}`,
      target.unit,
      isMet(target) ? 'yes' : 'NO',
    ]),
  ]);
  process.stdout.write(`\n${NOTES.join('\n')}\n${results.seconds.toFixed(0)} s\n`);
}
