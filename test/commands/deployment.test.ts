import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ENTRY_POINTS } from '../../scripts/entry-points.ts';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { STILL } from '../support/apps/test-app.ts';
import { serveLedger, unchangedLedger } from '../support/ledger/test-ledger.ts';
import { until } from '../support/rpc/test-pools.ts';

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(file(path), 'utf8');

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

const rules = Alerts.parse(parse(read('deploy/alerts.yaml'))).groups.flatMap((group) => group.rules);

describe('alert rules', () => {
  let rpc: DemoRpcServer;
  let app: App;
  let exposed: Set<string>;

  beforeAll(async () => {
    rpc = await serveLedger(unchangedLedger());
    app = await createApp(
      loadConfig({
        ...STILL,
        SOLANA_RPC_URLS: rpc.url,
        // No server listens there; database metrics are exported anyway.
        DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
        DRIFT_INTERVAL_MS: '60000',
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
    const asked = expr.match(/\b(?:sluice|nodejs|process)_\w+/g) ?? [];
    if (alert !== 'SluiceDown') expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((name) => !exposed.has(name))).toEqual([]);
  });

  it.each(rules)('$alert links to its section of the runbook', ({ alert, annotations }) => {
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(read('docs/runbook.md')).toContain(`\n### ${alert}\n`);
  });

  it('cover every alert in the runbook', () => {
    const explained = [...read('docs/runbook.md').matchAll(/^### (Sluice\w+)$/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });
});

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      read_only: z.boolean().optional(),
      user: z.string().optional(),
      healthcheck: z.object({ test: z.array(z.string()) }).or(z.object({ disable: z.literal(true) })),
    }),
  ),
});

describe('compose.yaml', () => {
  const { services } = Compose.parse(parse(read('compose.yaml'), { merge: true }));

  it('has two gateways, a recorder, PostgreSQL, Redis and a balancer, each with a health check', () => {
    expect(Object.keys(services).sort()).toEqual(
      ['balancer', 'gateway-1', 'gateway-2', 'postgres', 'recorder', 'redis'].sort(),
    );
    for (const name of ['gateway-1', 'gateway-2', 'recorder']) {
      expect(services[name]).toMatchObject({ read_only: true, user: 'node' });
    }
  });

  it('uses settings that exist', () => {
    const names = [...read('deploy/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const ours = names.filter((name) => !name.startsWith('POSTGRES_'));
    expect(ours.filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  it('runs files that the build produces', () => {
    const commands = `${read('compose.yaml')}${read('Dockerfile')}`.match(/dist\/[\w-]+\.js/g) ?? [];
    expect(commands.length).toBeGreaterThan(3);
    const made = Object.keys(ENTRY_POINTS).map((name) => `dist/${name}.js`);
    expect(commands.filter((command) => !made.includes(command))).toEqual([]);
    expect(Object.values(ENTRY_POINTS).filter((source) => !existsSync(file(`src/${source}.ts`)))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  it('runs one script and drops privileges', () => {
    const lines = read('Dockerfile').split('\n');
    expect(lines.filter((line) => line.startsWith('RUN'))).toEqual([
      'RUN sh scripts/image.sh /app',
      'RUN mkdir /data && chown node:node /data',
    ]);
    expect(lines).toContain('USER node');
  });
});
