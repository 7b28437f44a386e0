import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ENTRY_POINTS } from '../../scripts/entry-points.ts';
import { loadConfig } from '../../src/config/config.ts';
import { loadFilled, readEnv, unknownSettings } from '../support/deployment/env-files.ts';
import { type Deployment, Kustomization, MANIFEST } from '../support/deployment/kubernetes-schemas.ts';
import { projectFile, readProjectFile as read } from '../support/deployment/project-files.ts';

const FOLDER = 'deploy/kubernetes';
const OPTIONAL = 'service-monitor.yaml';
const kustomization = Kustomization.parse(parse(read(`${FOLDER}/kustomization.yaml`)));
const manifests = [...kustomization.resources, OPTIONAL].flatMap((file) =>
  parseAllDocuments(read(`${FOLDER}/${file}`)).map((document) => MANIFEST.parse(document.toJS())),
);

type Kind = (typeof manifests)[number]['kind'];
const ofKind = <K extends Kind>(kind: K) =>
  manifests.filter((each): each is Extract<(typeof manifests)[number], { kind: K }> => each.kind === kind);
const named = <T extends { metadata: { name: string } }>(list: readonly T[], name: string): T => {
  const [found, ...more] = list.filter(({ metadata }) => metadata.name === name);
  if (found === undefined || more.length > 0) throw new Error(`not exactly one ${name}`);
  return found;
};

const deployments = ofKind('Deployment');
const podLabels = (each: Deployment) => each.spec.template.metadata.labels;
const container = (each: Deployment) => each.spec.template.spec.containers[0];
const selected = (labels: Readonly<Record<string, string>>) =>
  deployments
    .filter((each) => Object.entries(labels).every(([name, value]) => podLabels(each)[name] === value))
    .map(({ metadata }) => metadata.name);

describe('deploy/kubernetes', () => {
  it('lists every file', () => {
    const files = readdirSync(projectFile(FOLDER)).filter((file) => file.endsWith('.yaml'));
    expect(files.sort()).toEqual(['kustomization.yaml', OPTIONAL, ...kustomization.resources].sort());
  });

  it('runs gateways, recorders and Redis', () => {
    expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
      // The autoscaler sets the number of gateways.
      ['gateway', undefined],
      ['recorder', 2],
      ['redis', 1],
    ]);
  });

  it.each(deployments)('$metadata.name selects its own pods and nobody else', (deployment) => {
    expect(selected(deployment.spec.selector.matchLabels)).toEqual([deployment.metadata.name]);
    for (const { labelSelector } of deployment.spec.template.spec.topologySpreadConstraints)
      expect(selected(labelSelector.matchLabels)).toEqual([deployment.metadata.name]);
  });

  it.each(deployments)('$metadata.name has no privileges', (deployment) => {
    const { automountServiceAccountToken, securityContext } = deployment.spec.template.spec;
    expect(automountServiceAccountToken).toBe(false);
    expect(securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(securityContext.runAsUser).toBeGreaterThan(0);
    expect(container(deployment).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container(deployment).resources.limits.memory).toMatch(/^\d+[GM]i$/);
  });

  it.each(deployments)('$metadata.name mounts volumes that it has', (deployment) => {
    const volumes = deployment.spec.template.spec.volumes.map(({ name }) => name);
    expect(container(deployment).volumeMounts.map(({ name }) => name)).toEqual(volumes);
  });

  it('gives gateways and recorders the settings, and Redis none', () => {
    const names = [kustomization.configMapGenerator[0].name, kustomization.secretGenerator[0].name];
    for (const { metadata, spec } of deployments) {
      const from = spec.template.spec.containers[0].envFrom.map((each) =>
        'configMapRef' in each ? each.configMapRef.name : each.secretRef.name,
      );
      expect(from).toEqual(metadata.name === 'redis' ? [] : names);
    }
  });

  it('runs files that the build produces, from the image of this version', () => {
    const made = Object.keys(ENTRY_POINTS).map((name) => `dist/${name}.js`);
    for (const name of ['gateway', 'recorder']) {
      const { image, command } = container(named(deployments, name));
      expect(image).toBe(kustomization.images[0].name);
      expect(command?.[0]).toBe('node');
      expect(made).toContain(command?.[1]);
    }
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    expect(kustomization.images[0].newTag).toBe(version);
  });
});

describe('a gateway in Kubernetes', () => {
  const gateway = named(deployments, 'gateway');
  const service = named(ofKind('Service'), 'sluice');
  const { startupProbe, readinessProbe, livenessProbe, ports, resources, env } = container(gateway);

  it('gets traffic from its first View on, and keeps it while it responds', () => {
    expect(startupProbe?.httpGet).toEqual({ path: '/ready', port: 'http' });
    expect(readinessProbe?.httpGet).toEqual({ path: '/health', port: 'http' });
    expect(livenessProbe?.httpGet).toEqual({ path: '/health', port: 'http' });
    expect(ports).toEqual([{ name: 'http', containerPort: loadConfig({}).PORT }]);
    expect(read('Dockerfile')).toContain(`PORT=${loadConfig({}).PORT}`);
  });

  it('has time to finish its requests', () => {
    const { terminationGracePeriodSeconds = 0 } = gateway.spec.template.spec;
    const { DRAIN_MS, SHUTDOWN_GRACE_MS } = loadConfig(readEnv(`${FOLDER}/settings.env`));
    expect(DRAIN_MS).toBeGreaterThan(0);
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(DRAIN_MS + SHUTDOWN_GRACE_MS);
  });

  it('has a heap that fits into its memory', () => {
    const megabytes = Number(/--max-old-space-size=(\d+)/.exec(env[0]?.value ?? '')?.[1]);
    expect(resources.limits.memory).toBe('1Gi');
    expect(megabytes).toBe(768);
  });

  it('is scaled, protected and reached by name', () => {
    const [scaler] = ofKind('HorizontalPodAutoscaler');
    expect(scaler?.spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'gateway',
    });
    expect(scaler?.spec.minReplicas).toBeGreaterThanOrEqual(2);
    const [budget] = ofKind('PodDisruptionBudget');
    expect(selected(budget?.spec.selector.matchLabels ?? {})).toEqual(['gateway']);
    expect(selected(service.spec.selector)).toEqual(['gateway']);
    expect(service.spec.ports[0]?.targetPort).toBe('http');
  });

  it('is scraped as the job that the alerts name', () => {
    expect(read('deploy/alerts.yaml')).toContain(`up{job="${service.metadata.name}"}`);
    const [monitor] = ofKind('ServiceMonitor');
    expect(service.metadata.labels).toMatchObject(monitor?.spec.selector.matchLabels ?? { none: '' });
    expect(monitor?.metadata.namespace).toBe(kustomization.namespace);
    expect(service.spec.ports.map(({ name }) => name)).toContain(monitor?.spec.endpoints[0]?.port);
  });

  it('is public apart from its metrics, without buffers', () => {
    const ingresses = ofKind('Ingress');
    const { annotations } = named(ingresses, 'sluice').metadata;
    expect(annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '3600',
    });
    expect(named(ingresses, 'sluice-metrics').metadata.annotations).toEqual({
      'nginx.ingress.kubernetes.io/whitelist-source-range': '127.0.0.1/32',
    });
    const rules = ingresses.flatMap(({ spec }) => spec.rules);
    expect(rules.flatMap(({ http }) => http.paths.map(({ path }) => path))).toEqual(['/', '/metrics']);
    const { PUBLIC_URL } = readEnv(`${FOLDER}/settings.env`);
    for (const { host, http } of rules) {
      expect(`https://${host}`).toBe(PUBLIC_URL);
      expect(http.paths[0]?.backend.service).toEqual({ name: 'sluice', port: { name: 'http' } });
    }
  });
});

describe('network policies', () => {
  const policies = ofKind('NetworkPolicy');

  it('close all pods but for what is listed', () => {
    expect(named(policies, 'deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress'] });
    for (const { metadata, spec } of policies.filter((each) => each.metadata.name !== 'deny')) {
      const [target, ...more] = selected(spec.podSelector.matchLabels ?? {});
      expect([target, more]).toEqual([metadata.name, []]);
      const open = container(named(deployments, metadata.name)).ports.map(({ name }) => name);
      expect(spec.ingress?.[0]?.ports.map(({ port }) => port)).toEqual(open);
    }
  });

  it('let only gateways and recorders write to Redis', () => {
    const [rule] = named(policies, 'redis').spec.ingress ?? [];
    expect(rule?.from.map((from) => selected(from.podSelector?.matchLabels ?? {}))).toEqual([
      ['gateway', 'recorder'],
    ]);
  });
});

describe('settings in Kubernetes', () => {
  const settings = readEnv(`${FOLDER}/settings.env`);
  const secrets = readEnv(`${FOLDER}/example.secret.env`);
  const all = readEnv(`${FOLDER}/settings.env`, `${FOLDER}/example.secret.env`);

  it('load once they are filled in, and have what compose.yaml has', () => {
    expect(unknownSettings(all)).toEqual([]);
    expect(loadFilled(all).REDIS_URL).toBe(`redis://${named(ofKind('Service'), 'redis').metadata.name}:6379`);
    expect(Object.keys(all).sort()).toEqual(Object.keys(readEnv('deploy/example.env')).sort());
  });

  it('keep secrets apart', () => {
    expect(kustomization.configMapGenerator[0].envs).toEqual(['settings.env']);
    expect(kustomization.secretGenerator[0].envs).toEqual(['secret.env']);
    expect(Object.keys(secrets).sort()).toEqual(
      ['ALERT_SECRET', 'DATABASE_URL', 'SOLANA_RPC_URLS', 'SOLANA_WS_URLS', 'STREAM_SECRET'].sort(),
    );
    expect(Object.values(settings).join(' ')).not.toMatch(/choose-one|api-key/);
  });
});

describe('Redis in Kubernetes', () => {
  it('has the arguments and image of compose.yaml', () => {
    const Compose = z.object({
      services: z.object({ redis: z.object({ image: z.string(), command: z.array(z.string()) }) }),
    });
    const { redis } = Compose.parse(parse(read('compose.yaml'), { merge: true })).services;
    const { image, args } = container(named(deployments, 'redis'));
    expect({ image, command: args }).toEqual(redis);
  });
});
