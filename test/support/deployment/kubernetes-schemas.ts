import { z } from 'zod';

/**
 * The part of the Kubernetes API that deploy/kubernetes uses. Strict, because Kubernetes may ignore a misspelt field, and
 * with it a limit or a privilege that was meant to be dropped.
 */
const Labels = z.record(z.string(), z.string());
const Name = z.strictObject({ name: z.string() });
const Selector = z.strictObject({ matchLabels: Labels });
const Metadata = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  labels: Labels.default({}),
  annotations: Labels.default({}),
});

const Exec = z.strictObject({ command: z.array(z.string()) });
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }).optional(),
  exec: Exec.optional(),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number().optional(),
});

const Container = z.strictObject({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })).default([]),
  envFrom: z
    .array(z.strictObject({ configMapRef: Name }).or(z.strictObject({ secretRef: Name })))
    .default([]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })),
});

const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Metadata,
  spec: z.strictObject({
    replicas: z.number().optional(),
    strategy: z
      .strictObject({ rollingUpdate: z.strictObject({ maxUnavailable: z.number(), maxSurge: z.number() }) })
      .or(z.strictObject({ type: z.literal('Recreate') }))
      .optional(),
    selector: Selector,
    template: z.strictObject({
      metadata: z.strictObject({ labels: Labels }),
      spec: z.strictObject({
        automountServiceAccountToken: z.boolean(),
        terminationGracePeriodSeconds: z.number().optional(),
        securityContext: z.strictObject({
          runAsNonRoot: z.boolean(),
          runAsUser: z.number(),
          runAsGroup: z.number(),
          fsGroup: z.number().optional(),
          seccompProfile: z.strictObject({ type: z.string() }),
        }),
        topologySpreadConstraints: z
          .array(
            z.strictObject({
              maxSkew: z.number(),
              topologyKey: z.string(),
              whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
              labelSelector: Selector,
            }),
          )
          .default([]),
        containers: z.tuple([Container]),
        volumes: z.array(z.strictObject({ name: z.string(), emptyDir: z.strictObject({}) })),
      }),
    }),
  }),
});
export type Deployment = z.infer<typeof Deployment>;

const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: Metadata,
  spec: z.strictObject({
    selector: Labels,
    ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })),
  }),
});

const PodDisruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata: Metadata,
  spec: z.strictObject({ maxUnavailable: z.number(), selector: Selector }),
});

const HorizontalPodAutoscaler = z.strictObject({
  apiVersion: z.literal('autoscaling/v2'),
  kind: z.literal('HorizontalPodAutoscaler'),
  metadata: Metadata,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ apiVersion: z.string(), kind: z.string(), name: z.string() }),
    minReplicas: z.number(),
    maxReplicas: z.number(),
    metrics: z.array(
      z.strictObject({
        type: z.literal('Resource'),
        resource: z.strictObject({
          name: z.literal('cpu'),
          target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.number() }),
        }),
      }),
    ),
    behavior: z.strictObject({
      scaleDown: z.strictObject({
        stabilizationWindowSeconds: z.number(),
        policies: z.array(
          z.strictObject({ type: z.literal('Pods'), value: z.number(), periodSeconds: z.number() }),
        ),
      }),
    }),
  }),
});

const NetworkPolicy = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('NetworkPolicy'),
  metadata: Metadata,
  spec: z.strictObject({
    podSelector: Selector.partial(),
    policyTypes: z.tuple([z.literal('Ingress')]),
    ingress: z
      .tuple([
        z.strictObject({
          from: z.array(
            z.strictObject({ namespaceSelector: Selector.optional(), podSelector: Selector.optional() }),
          ),
          ports: z.array(z.strictObject({ protocol: z.literal('TCP'), port: z.string() })),
        }),
      ])
      .optional(),
  }),
});

const Ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata: Metadata,
  spec: z.strictObject({
    ingressClassName: z.string(),
    tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })),
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(
            z.strictObject({
              path: z.string(),
              pathType: z.enum(['Prefix', 'Exact']),
              backend: z.strictObject({ service: z.strictObject({ name: z.string(), port: Name }) }),
            }),
          ),
        }),
      }),
    ),
  }),
});

const Namespace = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Namespace'),
  metadata: Metadata,
});

const ServiceMonitor = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('ServiceMonitor'),
  metadata: Metadata,
  spec: z.strictObject({
    selector: Selector,
    endpoints: z.array(z.strictObject({ port: z.string(), path: z.string(), interval: z.string() })),
  }),
});

export const MANIFEST = z.discriminatedUnion('kind', [
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
]);

const Generator = z.strictObject({ name: z.string(), envs: z.array(z.string()) });

export const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.tuple([z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })]),
  configMapGenerator: z.tuple([Generator]),
  secretGenerator: z.tuple([Generator]),
});
