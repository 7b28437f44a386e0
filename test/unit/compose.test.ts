import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ENTRY_POINTS } from '../../scripts/entry-points.ts';
import { loadConfig } from '../../src/config/config.ts';
import { loadFilled, readEnv, unknownSettings } from '../support/deployment/env-files.ts';
import { projectFile, readProjectFile as read } from '../support/deployment/project-files.ts';

const Service = z.object({
  image: z.string().optional(),
  read_only: z.boolean().optional(),
  user: z.string().optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  command: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).or(z.object({ disable: z.literal(true) })),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  networks: z.object({
    inside: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
  }),
});

const { services, networks } = Compose.parse(parse(read('compose.yaml'), { merge: true }));
const service = (name: string) => Service.parse(services[name]);
const OURS = ['gateway-1', 'gateway-2', 'recorder'];

describe('compose.yaml', () => {
  it('has two gateways and what they need, each with a health check', () => {
    expect(Object.keys(services).sort()).toEqual(
      [...OURS, 'balancer', 'grafana', 'postgres', 'prometheus', 'redis'].sort(),
    );
    for (const name of OURS) expect(service(name)).toMatchObject({ read_only: true, user: 'node' });
  });

  it('gives the secrets of the gateways to nobody else', () => {
    const readers = Object.entries(services).filter(([, { env_file }]) => env_file === 'deploy/sluice.env');
    expect(readers.map(([name]) => name).sort()).toEqual(OURS);
    expect(service('postgres').env_file).toBe('deploy/postgres.env');
    expect(Object.keys(readEnv('deploy/example.postgres.env'))).toEqual(['POSTGRES_PASSWORD']);
    expect(read('.gitignore').split('\n')).toEqual(
      expect.arrayContaining(['deploy/sluice.env', 'deploy/postgres.env', 'deploy/kubernetes/secret.env']),
    );
  });

  it('pins the images it does not build', () => {
    const images = Object.values(services).map(({ image = '' }) => image);
    expect(images.filter((image) => image !== 'sluice' && !/:v?\d[\w.-]*$/.test(image))).toEqual([]);
  });

  it('mounts files that exist', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) =>
      volumes.flatMap((volume) => /^\.\/([^:]+):.*:ro$/.exec(volume)?.[1] ?? []),
    );
    expect(mounted.length).toBe(6);
    expect(mounted.filter((path) => !existsSync(projectFile(path)))).toEqual([]);
  });

  it('publishes only the load balancer, and Grafana to this machine', () => {
    const published = Object.entries(services).flatMap(([name, { ports }]) => ports.map((p) => [name, p]));
    expect(published).toEqual([
      ['balancer', '8080:8080'],
      ['grafana', '127.0.0.1:3000:3000'],
    ]);
  });

  it('runs files that the build produces', () => {
    const commands = `${read('compose.yaml')}${read('Dockerfile')}`.match(/dist\/[\w-]+\.js/g) ?? [];
    expect(commands.length).toBeGreaterThan(3);
    const made = Object.keys(ENTRY_POINTS).map((name) => `dist/${name}.js`);
    expect(commands.filter((command) => !made.includes(command))).toEqual([]);
    expect(
      Object.values(ENTRY_POINTS).filter((source) => !existsSync(projectFile(`src/${source}.ts`))),
    ).toEqual([]);
  });
});

describe('deploy/example.env', () => {
  const env = readEnv('deploy/example.env');

  it('loads once it is filled in', () => {
    expect(unknownSettings(env)).toEqual([]);
    const config = loadFilled(env);
    expect(config.embedded).toBe(false);
    expect(config.SOLANA_RPC_URLS.length).toBe(2);
  });

  it('has what several gateways need', () => {
    const config = loadFilled(env);
    expect(config.REDIS_URL).toBe('redis://redis:6379');
    expect(config.FEED).toBe('auto');
    expect(config.TRUSTED_PROXIES).toEqual([networks.inside.ipam.config[0].subnet]);
    const { username, password, hostname, pathname } = new URL(config.DATABASE_URL ?? '');
    const { POSTGRES_USER, POSTGRES_DB } = service('postgres').environment;
    const { POSTGRES_PASSWORD } = readEnv('deploy/example.postgres.env');
    expect([username, password, hostname, pathname]).toEqual([
      POSTGRES_USER,
      POSTGRES_PASSWORD,
      'postgres',
      `/${POSTGRES_DB}`,
    ]);
  });

  it('is refused before a secret for streams is chosen', () => {
    expect(() => loadConfig(env)).toThrow(/STREAM_SECRET/);
  });
});

describe('deploy/nginx.conf', () => {
  const lines = read('deploy/nginx.conf')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());

  it('sends requests to both gateways in turn, whoever the client is', () => {
    const [, upstream = ''] = /upstream gateways \{([^}]*)\}/.exec(lines.join('\n')) ?? [];
    const directives = upstream.split('\n').filter((line) => line !== '');
    expect(directives.map((line) => line.split(/[ ;]/)[0])).toEqual(['server', 'server', 'keepalive']);
    expect(directives.slice(0, 2).map((line) => line.split(' ')[1])).toEqual([
      'gateway-1:4000',
      'gateway-2:4000',
    ]);
  });

  it('passes on event streams at once and hides the metrics', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        'proxy_buffering off;',
        'proxy_read_timeout 3600s;',
        'location = /metrics { return 404; }',
      ]),
    );
  });
});

describe('deploy/prometheus.yaml', () => {
  const Prometheus = z.object({
    rule_files: z.array(z.string()),
    scrape_configs: z.tuple([
      z.object({
        job_name: z.string(),
        static_configs: z.tuple([z.object({ targets: z.array(z.string()) })]),
      }),
    ]),
  });
  const { rule_files, scrape_configs } = Prometheus.parse(parse(read('deploy/prometheus.yaml')));

  it('scrapes every gateway as the job that the alerts name', () => {
    const [{ job_name, static_configs }] = scrape_configs;
    expect(read('deploy/alerts.yaml')).toContain(`up{job="${job_name}"}`);
    expect(static_configs[0].targets).toEqual(['gateway-1:4000', 'gateway-2:4000']);
  });

  it('loads the alerts', () => {
    expect(rule_files).toEqual(['alerts.yaml']);
    expect(service('prometheus').volumes).toContain('./deploy/alerts.yaml:/etc/prometheus/alerts.yaml:ro');
  });
});

describe('deploy/grafana', () => {
  it('finds Prometheus and the dashboard', () => {
    const Sources = z.object({ datasources: z.tuple([z.object({ type: z.string(), url: z.string() })]) });
    expect(Sources.parse(parse(read('deploy/grafana/datasources.yaml'))).datasources).toEqual([
      { type: 'prometheus', url: 'http://prometheus:9090' },
    ]);
    const Providers = z.object({
      providers: z.tuple([z.object({ options: z.object({ path: z.string() }) })]),
    });
    const [{ options }] = Providers.parse(parse(read('deploy/grafana/dashboards.yaml'))).providers;
    expect(service('grafana').volumes).toContain(
      `./deploy/grafana/sluice.json:${options.path}/sluice.json:ro`,
    );
  });
});
