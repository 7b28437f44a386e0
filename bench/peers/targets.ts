import { LATENCY_MS } from './plan.ts';
import type { Variation } from './queries.ts';
import { OURS, type Results, SDK, STREAMED } from './results.ts';

/** A figure of one run and the value to compare it with. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly target: number;
  /** Whether the target is a minimum or a maximum. */
  readonly bound: 'min' | 'max';
  readonly unit: string;
}

export const isMet = ({ value, target, bound }: Target): boolean =>
  bound === 'min' ? value >= target : value <= target;

/** A ratio of two measurements of one run, which should be at least `target`. */
const atLeast = (name: string, value: number, target: number): Target => ({
  name,
  value,
  target,
  bound: 'min',
  unit: 'times',
});

/** Round trips to the RPC that one portfolio may take, and the time allowed for everything else. */
const PORTFOLIO_ROUND_TRIPS = 3;
const PORTFOLIO_COMPUTE_MS = 20;

/** Slowest answers may take this many times as long as a typical one while connections compete. */
const P99_OVER_P50 = 4;
const COLD_NESTED = 3;
const RESIDENT_MB = 320;

const RAW = 'node:http, the same bytes';
const JIT = 'mercurius + jit';
const YOGA = 'graphql-yoga';

type Figure = 'perSecond' | 'cpuMicros' | 'p50Ms' | 'p99Ms';

function throughputOf({ throughput }: Results) {
  const connections = throughput.some((row) => row.connections === 16) ? 16 : 1;
  const figure = (name: string, variation: Variation, column: Figure) =>
    throughput.find(
      (row) => row.name === name && row.variation === variation && row.connections === connections,
    )?.[column] ?? Number.NaN;
  return {
    rate: (name: string, variation: Variation) => figure(name, variation, 'perSecond'),
    cpu: (name: string, variation: Variation) => figure(name, variation, 'cpuMicros'),
    /** p99 of its latencies over their p50. */
    spread: (name: string, variation: Variation) =>
      figure(name, variation, 'p99Ms') / figure(name, variation, 'p50Ms'),
    named: (name: string) => `${name}, ${connections} connections`,
  };
}

function throughputTargets(results: Results): Target[] {
  if (results.throughput.length === 0) return [];
  const { rate, spread, named } = throughputOf(results);
  return [
    atLeast(named('cached answer against node:http'), rate(OURS, 'same') / rate(RAW, 'same'), 0.5),
    atLeast(
      named('distinct documents against mercurius + jit'),
      rate(OURS, 'documents') / rate(JIT, 'documents'),
      3,
    ),
    {
      name: named('distinct documents, p99 against p50'),
      value: spread(OURS, 'documents'),
      target: P99_OVER_P50,
      bound: 'max',
      unit: 'times',
    },
  ];
}

function throughputReferences(results: Results): Target[] {
  if (results.throughput.length === 0) return [];
  const { rate, cpu, named } = throughputOf(results);
  return [
    atLeast(named('cached answer against node:http, CPU time'), cpu(RAW, 'same') / cpu(OURS, 'same'), 0.5),
    atLeast(
      named('distinct documents against mercurius + jit with a compiled document'),
      rate(OURS, 'documents') / rate(JIT, 'same'),
      1,
    ),
    atLeast(
      named('distinct variables against mercurius + jit with a compiled document'),
      rate(OURS, 'variables') / rate(JIT, 'same'),
      1,
    ),
    atLeast(
      named('distinct documents against graphql-yoga'),
      rate(OURS, 'documents') / rate(YOGA, 'documents'),
      3,
    ),
    atLeast(
      named('distinct selections against mercurius + jit'),
      rate(OURS, 'selections') / rate(JIT, 'selections'),
      1,
    ),
    atLeast(
      named('distinct selections against graphql-yoga'),
      rate(OURS, 'selections') / rate(YOGA, 'selections'),
      3,
    ),
  ];
}

function nestedTargets({ nested }: Results): Target[] {
  if (nested.length === 0) return [];
  const time = (name: string, column: 'coldMs' | 'warmMs') =>
    nested.find((row) => row.name === name && row.latencyMs === LATENCY_MS)?.[column] ?? Number.NaN;
  return [
    atLeast(
      'nested read, cold process, against the SDK',
      time(SDK, 'coldMs') / time(OURS, 'coldMs'),
      COLD_NESTED,
    ),
    atLeast('nested read, warm, against the SDK', time(SDK, 'warmMs') / time(OURS, 'warmMs'), 100),
  ];
}

function clientReferences({ clients }: Results): Target[] {
  const far = clients.filter(({ latencyMs }) => latencyMs === LATENCY_MS);
  const graphMs = far.find(({ name }) => name.includes('GraphQL'))?.ms ?? Number.NaN;
  return far
    .filter(({ name }) => name.startsWith('REST'))
    .map(({ name, atOnce, ms }) =>
      atLeast(`one GraphQL query against ${name}, ${atOnce ?? 'all'} at once`, ms / graphMs, 10),
    );
}

function walletReferences({ wallets }: Results): Target[] {
  const ours = wallets.find(({ name }) => name === OURS);
  if (ours === undefined) return [];
  const ratios = wallets
    .filter(({ name }) => name.startsWith(SDK))
    .map(({ name, p50Ms }) => atLeast(`distinct wallets, p50, against ${name}`, p50Ms / ours.p50Ms, 5));
  const streamed = wallets.find(({ name }) => name === STREAMED);
  const target = PORTFOLIO_ROUND_TRIPS * LATENCY_MS + PORTFOLIO_COMPUTE_MS;
  return [
    { name: 'distinct wallets, p99', value: ours.p99Ms, target, bound: 'max', unit: 'ms' },
    ...ratios,
    ...(streamed === undefined
      ? []
      : [atLeast('distinct wallets with a stream, p50, against polling', ours.p50Ms / streamed.p50Ms, 5)]),
  ];
}

function memoryTargets({ footprint }: Results): Target[] {
  const ours = footprint.find(({ name }) => name.startsWith(OURS));
  if (ours === undefined) return [];
  const atMostMb = (name: string, value: number): Target => ({
    name,
    value,
    target: RESIDENT_MB,
    bound: 'max',
    unit: 'MB',
  });
  return [atMostMb('resident memory', ours.rssMb), atMostMb('resident memory under load', ours.rssUsedMb)];
}

function startReferences({ footprint }: Results): Target[] {
  const ours = footprint.find(({ name }) => name.startsWith(OURS));
  const sdk = footprint.find(({ name }) => name === SDK);
  if (ours === undefined || sdk === undefined) return [];
  const value = ours.startMs / sdk.startMs;
  return [
    { name: 'start to first answer against the SDK', value, target: 1 / 3, bound: 'max', unit: 'times' },
  ];
}

/** The floors that every release keeps. */
export function targets(results: Results): Target[] {
  return [...nestedTargets(results), ...throughputTargets(results), ...memoryTargets(results)];
}

/** Further figures, each next to a reference value. They inform; none of them is a promise. */
export function references(results: Results): Target[] {
  return [
    ...clientReferences(results),
    ...throughputReferences(results),
    ...walletReferences(results),
    ...startReferences(results),
  ];
}
