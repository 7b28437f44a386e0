import { readFileSync, writeFileSync } from 'node:fs';
import { printTable } from '../measure.ts';
import { threeDigits } from '../statistics.ts';
import type { Effect } from './bystander.ts';
import type { Knobs } from './knobs.ts';
import type { Reading } from './probe.ts';

/** The dearest request found for a target and a goal. */
export interface Finding {
  readonly target: string;
  readonly goal: 'processor' | 'rpc';
  readonly knobs: Knobs;
  readonly reading: Reading;
  /** The request itself, to repeat it by hand. */
  readonly request: string;
  /** Null when it was not run beside another client. */
  readonly effect: Effect | null;
}

export interface Verdict {
  readonly promise: string;
  readonly isMet: boolean;
}

/** Another client's p99 stays under this. */
const P99_MS = 100;
/** The event loop pauses after this much work at the latest. */
const STRETCH_MS = 50;
/** REQUEST_TIMEOUT_MS by default, and how much later an answer may end. */
const DEADLINE_MS = 15_000;
const LATE_MS = 100;
const MAX_SHOWN = 60;

export function verdictsOf(findings: readonly Finding[]): Verdict[] {
  const measured = findings.flatMap(({ effect }) => effect ?? []);
  const slow = measured.filter(({ pageP99Ms, failed }) => pageP99Ms >= P99_MS || failed > 0);
  const blocked = measured.filter(({ loopStretchMs }) => loopStretchMs >= STRETCH_MS);
  const stretchMs = Math.max(0, ...measured.map(({ loopStretchMs }) => loopStretchMs));
  const answersMs = findings.flatMap(({ reading, effect }) => [
    reading.longestMs,
    effect?.slowestAnswerMs ?? 0,
  ]);
  const late = answersMs.filter((ms) => ms > DEADLINE_MS + LATE_MS);
  return [
    {
      promise: `another client's p99 stays under ${P99_MS} ms: ${measured.length - slow.length} of ${measured.length} requests`,
      isMet: slow.length === 0,
    },
    {
      promise: `the event loop never runs for ${STRETCH_MS} ms without a pause, beside garbage collection: longest ${threeDigits(stretchMs)} ms, ${blocked.length} requests`,
      isMet: blocked.length === 0,
    },
    {
      promise: `nothing outlives its deadline of ${DEADLINE_MS} ms by ${LATE_MS} ms: slowest ${threeDigits(Math.max(0, ...answersMs))} ms`,
      isMet: late.length === 0,
    },
  ];
}

export function dearest<T extends Pick<Finding, 'goal' | 'reading'>>(
  findings: readonly T[],
  goal: Finding['goal'],
  rows: number,
): T[] {
  const value = ({ reading }: T) => (goal === 'processor' ? reading.cpuMsPerUnit : reading.rpcCallsPerUnit);
  return findings
    .filter((finding) => finding.goal === goal && Number.isFinite(value(finding)))
    .sort((a, b) => value(b) - value(a))
    .slice(0, rows);
}

const HEADING = [
  'field',
  'CPU ms/unit',
  'RPC/unit',
  'SQL ms/unit',
  'units',
  'CPU ms',
  'longest ms',
  'other p50',
  'p99 ms',
  'wallet p99',
  'loop ms',
];

function rowOf({ target, reading, effect }: Finding): string[] {
  const { cpuMsPerUnit, rpcCallsPerUnit, sqlMsPerUnit, unitsPerRequest, cpuMsPerRequest, longestMs } =
    reading;
  const effects =
    effect === null
      ? ['-', '-', '-', '-']
      : [effect.pageP50Ms, effect.pageP99Ms, effect.walletP99Ms, effect.loopStretchMs].map(threeDigits);
  return [
    target.slice(0, MAX_SHOWN),
    ...[cpuMsPerUnit, rpcCallsPerUnit, sqlMsPerUnit, unitsPerRequest, cpuMsPerRequest].map(threeDigits),
    threeDigits(Math.max(longestMs, effect?.slowestAnswerMs ?? 0)),
    ...effects,
  ];
}

/** Prints the dearest requests of each goal and the verdicts. */
export function printReport(findings: readonly Finding[], alone: Effect, rows: number): void {
  for (const [goal, title] of [
    ['processor', 'Processor time per unit'],
    ['rpc', 'RPC calls per unit'],
  ] as const) {
    process.stdout.write(`\n${title}\n`);
    printTable([HEADING, ...dearest(findings, goal, rows).map(rowOf)]);
  }
  process.stdout.write(
    `\nanother client alone: p50 ${threeDigits(alone.pageP50Ms)} ms, p99 ${threeDigits(alone.pageP99Ms)} ms, wallet p99 ${threeDigits(alone.walletP99Ms)} ms, loop ${threeDigits(alone.loopStretchMs)} ms\n`,
  );
  if (alone.pageP99Ms >= P99_MS) {
    process.stdout.write('the machine is too busy to judge p99: it is as high without an attack\n');
  }
  for (const { promise, isMet } of verdictsOf(findings)) {
    process.stdout.write(`${isMet ? 'met' : 'MISSED'}: ${promise}\n`);
  }
}

/** The findings of a report. Anything that was infinite is null in JSON, and is left out. */
export function readReport(file: string): Finding[] {
  const { findings } = JSON.parse(readFileSync(file, 'utf8')) as { findings: Finding[] };
  return findings.filter(({ reading }) => reading.cpuMsPerUnit !== null && reading.rpcCallsPerUnit !== null);
}

/** @param alone null before it was measured */
export function writeReport(file: string, findings: readonly Finding[], alone: Effect | null): void {
  writeFileSync(file, `${JSON.stringify({ alone, verdicts: verdictsOf(findings), findings }, null, 2)}\n`);
}
