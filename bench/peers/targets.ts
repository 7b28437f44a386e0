import { LATENCY_MS } from './plan.ts';
import type { Variation } from './questions.ts';
import { OURS, type Results, SDK } from './results.ts';

/** A ratio of two measurements of one run beside what it shall be. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly wanted: number;
  /** Whether the wanted value is the least or the most. */
  readonly bound: 'least' | 'most';
  readonly unit: string;
}

export const isMet = ({ value, wanted, bound }: Target): boolean =>
  bound === 'least' ? value >= wanted : value <= wanted;

const ROUND_TRIPS = 3;
const BESIDE_ROUND_TRIPS_MS = 20;

function throughputTargets({ throughput }: Results): Target[] {
  const connections = throughput.some((row) => row.connections === 16) ? 16 : 1;
  const of = (name: string, variation: Variation, what: 'perSecond' | 'cpuMicros') =>
    throughput.find(
      (row) => row.name === name && row.variation === variation && row.connections === connections,
    )?.[what] ?? Number.NaN;
  const rate = (name: string, variation: Variation) => of(name, variation, 'perSecond');
  const raw = 'node:http, the same bytes';
  const least = (name: string, value: number, wanted: number): Target => ({
    name: `${name}, ${connections} connections`,
    value,
    wanted,
    bound: 'least',
    unit: 'times',
  });
  return [
    least('kept answer against node:http', rate(OURS, 'same') / rate(raw, 'same'), 0.5),
    least(
      'kept answer against node:http, by processor time',
      of(raw, 'same', 'cpuMicros') / of(OURS, 'same', 'cpuMicros'),
      0.5,
    ),
    least(
      'distinct documents against mercurius + jit',
      rate(OURS, 'documents') / rate('mercurius + jit', 'documents'),
      1,
    ),
    least(
      'distinct documents against mercurius + jit that knows the document',
      rate(OURS, 'documents') / rate('mercurius + jit', 'same'),
      1,
    ),
    least(
      'distinct variables against mercurius + jit that knows the document',
      rate(OURS, 'variables') / rate('mercurius + jit', 'same'),
      1,
    ),
    least(
      'distinct documents against graphql-yoga',
      rate(OURS, 'documents') / rate('graphql-yoga', 'documents'),
      3,
    ),
    least(
      'distinct selections against mercurius + jit',
      rate(OURS, 'selections') / rate('mercurius + jit', 'selections'),
      1,
    ),
    least(
      'distinct selections against graphql-yoga',
      rate(OURS, 'selections') / rate('graphql-yoga', 'selections'),
      3,
    ),
  ];
}

function nestedTargets({ nested }: Results): Target[] {
  const of = (name: string, what: 'coldMs' | 'warmMs') =>
    nested.find((row) => row.name === name && row.latencyMs === LATENCY_MS)?.[what] ?? Number.NaN;
  return [
    {
      name: 'nested read from a cold process against the SDK',
      value: of(SDK, 'coldMs') / of(OURS, 'coldMs'),
      wanted: 5,
      bound: 'least',
      unit: 'times',
    },
    {
      name: 'nested read, warm, against the SDK',
      value: of(SDK, 'warmMs') / of(OURS, 'warmMs'),
      wanted: 100,
      bound: 'least',
      unit: 'times',
    },
  ];
}

function clientTargets({ clients }: Results): Target[] {
  const far = clients.filter(({ latencyMs }) => latencyMs === LATENCY_MS);
  const graph = far.find(({ name }) => name.includes('graph'))?.ms ?? Number.NaN;
  return far
    .filter(({ name }) => name.startsWith('REST'))
    .map(({ name, atOnce, ms }) => ({
      name: `one graph query against ${name}, ${atOnce ?? 'all'} at once`,
      value: ms / graph,
      wanted: 10,
      bound: 'least',
      unit: 'times',
    }));
}

function walletTargets({ wallets }: Results): Target[] {
  const ours = wallets.find(({ name }) => name === OURS);
  if (ours === undefined) return [];
  const against = wallets
    .filter(({ name }) => name.startsWith(SDK))
    .map(
      ({ name, p50Ms }): Target => ({
        name: `distinct wallets, p50, against ${name}`,
        value: p50Ms / ours.p50Ms,
        wanted: 5,
        bound: 'least',
        unit: 'times',
      }),
    );
  const wanted = ROUND_TRIPS * LATENCY_MS + BESIDE_ROUND_TRIPS_MS;
  return [
    { name: 'distinct wallets, p99', value: ours.p99Ms, wanted, bound: 'most', unit: 'ms' },
    ...against,
  ];
}

function footprintTargets({ footprint }: Results): Target[] {
  const ours = footprint.find(({ name }) => name.startsWith(OURS));
  const sdk = footprint.find(({ name }) => name === SDK);
  if (ours === undefined || sdk === undefined) return [];
  return [
    {
      name: 'start to first answer as a share of the SDK’s',
      value: ours.startMs / sdk.startMs,
      wanted: 1 / 3,
      bound: 'most',
      unit: 'times',
    },
    { name: 'resident memory', value: ours.rssMb, wanted: 300, bound: 'most', unit: 'MB' },
    { name: 'resident memory under load', value: ours.rssUsedMb, wanted: 300, bound: 'most', unit: 'MB' },
  ];
}

/** What this run says about every ratio that we promise. */
export function targets(results: Results): Target[] {
  return [
    ...(results.nested.length > 0 ? nestedTargets(results) : []),
    ...clientTargets(results),
    ...(results.throughput.length > 0 ? throughputTargets(results) : []),
    ...walletTargets(results),
    ...footprintTargets(results),
  ];
}
