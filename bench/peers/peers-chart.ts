import { type BarPanel, barChart } from '../charts/bar-chart.ts';
import { LATENCY_MS } from './plan.ts';
import type { Variation } from './queries.ts';
import { OURS, type Results, SDK } from './results.ts';

const CHART_CONNECTIONS = 16;
const VARIATIONS: Readonly<Record<Variation, string>> = {
  same: '',
  variables: ', distinct variables',
  documents: ', distinct documents',
  selections: ', distinct selections',
};

function coldPanel({ nested }: Results): BarPanel {
  const rows = nested.filter(
    ({ latencyMs, name }) => latencyMs === LATENCY_MS && !name.includes('rpc-graphql'),
  );
  const bars = rows
    .filter(({ name }) => name === OURS || name === SDK)
    .flatMap(({ name, coldMs, warmMs }) => [
      { label: `${name}, from process start`, value: coldMs, ours: name === OURS },
      { label: `${name}, warm`, value: warmMs, ours: name === OURS },
    ]);
  return {
    title: `50 vaults with allocations, reserves, markets and tokens, RPC ${LATENCY_MS} ms away`,
    unit: 'milliseconds, logarithmic; shorter is better',
    bars,
  };
}

function clientPanel({ clients }: Results): BarPanel {
  const rows = clients.filter(({ latencyMs }) => latencyMs === LATENCY_MS);
  return {
    title: `The same as a page load, server ${LATENCY_MS} ms away`,
    unit: 'milliseconds, logarithmic; shorter is better',
    bars: rows.map(({ name, atOnce, calls, ms }) => ({
      label: calls === 1 ? name : `${calls} REST calls, ${atOnce === null ? 'all' : atOnce} at once`,
      value: ms,
      ours: calls === 1,
    })),
  };
}

function throughputPanel({ throughput }: Results): BarPanel {
  const rows = throughput.filter(({ connections }) => connections === CHART_CONNECTIONS);
  const bars = rows.map(({ name, variation, perSecond }) => ({
    label: `${name}${VARIATIONS[variation]}`,
    value: perSecond,
    ours: name === OURS,
  }));
  return {
    title: `The same executable schema, ${CHART_CONNECTIONS} connections`,
    unit: 'answers per second, logarithmic; longer is better',
    bars: bars.sort((a, b) => b.value - a.value),
  };
}

function walletPanel({ wallets }: Results): BarPanel {
  return {
    title: `First read of a wallet portfolio, RPC ${LATENCY_MS} ms away`,
    unit: 'p99 in milliseconds, logarithmic; shorter is better',
    bars: wallets.map(({ name, p99Ms }) => ({ label: name, value: p99Ms, ours: name.startsWith(OURS) })),
  };
}

/** Chart of one run. Parts that were not measured are left out. */
export function peersChart(results: Results): string {
  const panels = [
    coldPanel(results),
    clientPanel(results),
    throughputPanel(results),
    walletPanel(results),
  ].filter(({ bars }) => bars.length > 0);
  return barChart('Sluice and its alternatives', panels);
}
