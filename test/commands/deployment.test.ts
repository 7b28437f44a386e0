import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { STILL } from '../support/apps/test-app.ts';
import { readProjectFile as read } from '../support/deployment/project-files.ts';
import { FEED_SECRET } from '../support/feed/fed-chain.ts';

const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});

const rules = Alerts.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap((group) => group.rules);

const { panels } = Dashboard.parse(JSON.parse(read('deploy/grafana/sluice.json')));
const charts = panels.filter(({ type }) => type !== 'row');

const metricsIn = (expr: string): readonly string[] => expr.match(/\b(?:sluice|nodejs|process)_\w+/g) ?? [];

describe('metrics of a gateway', () => {
  let rpc: LocalnetRpc;
  let app: App;
  let exposed: Set<string>;

  beforeAll(async () => {
    rpc = await serveChain(unchangedChain());
    app = await createApp(
      loadConfig({
        ...STILL,
        SOLANA_RPC_URLS: rpc.url,
        // No server listens there; the metrics of database and feed are exported anyway.
        DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
        REDIS_URL: 'redis://127.0.0.1:9',
        STREAM_SECRET: FEED_SECRET,
        DRIFT_INTERVAL_MS: '60000',
        ALERT_SECRET: 'enables alerts, whose metrics are exported then',
      }),
    );
    await until(() => app.chain.views.newest !== undefined);
    const text = await (await app.fetch(new Request('http://sluice.test/metrics'))).text();
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    exposed = new Set(names);
  });

  afterAll(async () => {
    await app?.stop();
    await rpc?.close();
  });

  it.each(rules)('$alert uses metrics that exist', ({ alert, expr }) => {
    const asked = metricsIn(expr);
    if (alert !== 'SluiceDown') expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !exposed.has(name))).toEqual([]);
  });

  it.each(charts)('the chart "$title" uses metrics that exist', ({ targets }) => {
    const asked = targets.map(({ expr }) => metricsIn(expr));
    expect(asked.every((names) => names.length > 0)).toBe(true);
    expect(asked.flat().filter((name) => !exposed.has(name))).toEqual([]);
  });
});

describe('alert rules', () => {
  it.each(rules)('$alert links to its section of the runbook', ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(read('docs/runbook.md')).toContain(`\n### ${alert}\n`);
  });

  it('cover every alert in the runbook', () => {
    const explained = [...read('docs/runbook.md').matchAll(/^### (Sluice\w+)$/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

describe('the dashboard', () => {
  it('has a row for each area', () => {
    expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Traffic',
      'Limits',
      'View and feed',
      'RPC',
      'Streams',
      'Recorder, ingestion and history',
      'Process',
    ]);
  });

  it('places no chart on another', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe('the Dockerfile', () => {
  it('installs, runs one script and drops privileges', () => {
    const lines = read('Dockerfile').split('\n');
    expect(lines.filter((line) => line.startsWith('RUN'))).toEqual([
      'RUN npm ci --no-audit --no-fund && sh scripts/image.sh /app',
      'RUN mkdir /data && chown node:node /data',
    ]);
    expect(lines).toContain('USER node');
  });
});
