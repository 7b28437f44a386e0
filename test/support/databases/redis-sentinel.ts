import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './redis-server.ts';

const MASTER_NAME = 'sluice';

/** A process of Redis or Sentinel, and a connection for the test. */
export interface TestNode {
  readonly port: number;
  readonly commands: Redis;
  /** Starts it on the same port as before. */
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

interface SentinelOptions {
  /** Required of a master before it accepts writes. */
  readonly minReplicas?: number;
  /** A master without an answer for this time is replaced. */
  readonly downAfterMs?: number;
  readonly password?: string;
  readonly sentinelPassword?: string;
  /** All of them speak TLS only, with a certificate that `certificate` of the result confirms. Needs openssl. */
  readonly isEncrypted?: boolean;
}

/** One master, two replicas and three sentinels, each a process. */
export interface TestSentinel {
  readonly url: string;
  /** File with the certificate, if they speak TLS. */
  readonly certificate: string;
  readonly redis: readonly TestNode[];
  readonly sentinels: readonly TestNode[];
  /** The Redis that most sentinels name. */
  master(): Promise<TestNode>;
  /** Waits until every Redis and sentinel agrees on one master with two replicas. */
  settled(): Promise<void>;
  /** Orders a failover and waits for another master. */
  failover(): Promise<void>;
  /** Waits until the sentinels name another master than this one. */
  replaced(node: TestNode): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 50;
const REPLICAS = 2;
const SENTINELS = 3;

export async function startTestSentinel(options: SentinelOptions = {}): Promise<TestSentinel> {
  const { minReplicas = 0, downAfterMs = 2_000, password, sentinelPassword, isEncrypted = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-sentinel-'));
  const certificate = join(folder, 'certificate.pem');
  if (isEncrypted) makeCertificate(folder, certificate);
  const nodes: TestNode[] = [];
  const add = async (lines: readonly string[], isSentinel: boolean) => {
    const node = await startNode({
      folder,
      lines,
      isSentinel,
      password: isSentinel ? sentinelPassword : password,
      certificate: isEncrypted ? certificate : null,
    });
    nodes.push(node);
    return node;
  };
  const settings = [
    'save ""',
    'appendonly no',
    'repl-diskless-sync-delay 0',
    `min-replicas-to-write ${minReplicas}`,
    'min-replicas-max-lag 10',
    ...(password === undefined ? [] : [`requirepass ${password}`, `masterauth ${password}`]),
  ];
  const first = await add(settings, false);
  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () => add([...settings, `replicaof 127.0.0.1 ${first.port}`], false)),
  );
  const redis = [first, ...replicas];
  // Sentinels read the replicas from the master when they start, and every ten seconds afterwards.
  await waitFor(async () => /^connected_slaves:2\r?$/m.test(await first.commands.info('replication')));
  const watched = [
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${first.port} 2`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER_NAME} 3000`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${MASTER_NAME} ${password}`]),
    ...(sentinelPassword === undefined
      ? []
      : [`requirepass ${sentinelPassword}`, `sentinel sentinel-pass ${sentinelPassword}`]),
  ];
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => add(watched, true)));

  const named = async () => {
    const votes = new Map<number, number>();
    for (const { commands } of sentinels) {
      const reply = await commands.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER_NAME).catch(() => null);
      const port = Array.isArray(reply) ? Number(reply[1]) : 0;
      votes.set(port, (votes.get(port) ?? 0) + 1);
    }
    const [port] = [...votes].find(([, count]) => count * 2 > SENTINELS) ?? [];
    return redis.find((node) => node.port === port) ?? null;
  };
  const test: TestSentinel = {
    certificate,
    url: `${isEncrypted ? 'rediss' : 'redis'}+sentinel://${password === undefined ? '' : `:${password}@`}${sentinels
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(
        ',',
      )}/${MASTER_NAME}${sentinelPassword === undefined ? '' : `?sentinelPassword=${sentinelPassword}`}`,
    redis,
    sentinels,
    async master() {
      let master = await named();
      await waitFor(async () => {
        master = await named();
        return master !== null;
      });
      if (master === null) throw new Error('no master');
      return master;
    },
    settled: () =>
      waitFor(async () => {
        const master = await named();
        if (master === null) return false;
        for (const { commands } of sentinels) {
          const reply = await commands.call('SENTINEL', 'MASTER', MASTER_NAME).catch(() => null);
          const texts = Array.isArray(reply) ? reply.map(String) : [];
          const of = (name: string) => texts[texts.indexOf(name) + 1];
          const isCalm = of('flags') === 'master' && Number(of('port')) === master.port;
          if (!isCalm || of('num-slaves') !== '2' || of('num-other-sentinels') !== '2') return false;
        }
        const said = await master.commands.info('replication').catch(() => '');
        return /^role:master\r?$/m.test(said) && (said.match(/state=online/g) ?? []).length === REPLICAS;
      }),
    async failover() {
      const before = await test.master();
      // Refused until replicas are known, and while another failover goes on.
      await waitFor(async () => {
        const [sentinel] = sentinels;
        const reply = await sentinel?.commands.call('SENTINEL', 'FAILOVER', MASTER_NAME).catch(() => null);
        return reply === 'OK' || (await named()) !== before;
      });
      await test.replaced(before);
    },
    replaced: (node) =>
      waitFor(async () => {
        const master = await named();
        if (master === null || master === node) return false;
        return /^role:master\r?$/m.test(await master.commands.info('replication').catch(() => ''));
      }),
    async stop() {
      for (const node of nodes) {
        node.commands.disconnect();
        await node.kill();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  await test.settled();
  return test;
}

interface NodeOptions {
  readonly folder: string;
  readonly lines: readonly string[];
  readonly isSentinel: boolean;
  readonly password: string | undefined;
  /** Null without TLS. */
  readonly certificate: string | null;
}

const KEY = 'key.pem';

function makeCertificate(folder: string, certificate: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', join(folder, KEY), '-out', certificate];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
}

async function startNode({
  folder,
  lines,
  isSentinel,
  password,
  certificate,
}: NodeOptions): Promise<TestNode> {
  const port = await freePort();
  const file = join(folder, `${port}.conf`);
  // Redis and Sentinel write the file when the master changes.
  const ports =
    certificate === null
      ? [`port ${port}`]
      : [
          'port 0',
          `tls-port ${port}`,
          `tls-cert-file ${certificate}`,
          `tls-key-file ${join(folder, KEY)}`,
          `tls-ca-cert-file ${certificate}`,
          'tls-auth-clients no',
          'tls-replication yes',
        ];
  await writeFile(file, ['bind 127.0.0.1', ...ports, `dir ${folder}`, ...lines, ''].join('\n'));
  const commands = new Redis({
    port,
    host: '127.0.0.1',
    protocol: 2,
    lazyConnect: true,
    commandTimeout: 1_000,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    disableClientInfo: true,
    retryStrategy: () => POLL_MS,
    ...(password === undefined ? {} : { password }),
    ...(certificate === null ? {} : { tls: { ca: await readFile(certificate) } }),
  });
  commands.on('error', () => undefined);
  let child: ChildProcess | undefined;
  const node: TestNode = {
    port,
    commands,
    async start() {
      child = spawn('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
      await waitFor(() =>
        commands.ping().then(
          () => true,
          () => false,
        ),
      );
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
  await node.start();
  return node;
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
