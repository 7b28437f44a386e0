import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A Redis server for one test, which may kill it and start it again on the same port. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Suspends the process until `resume`. */
  pause(): void;
  resume(): void;
}

const installed = spawnSync('redis-server', ['--version']).status === 0;
if (!installed && process.env.CI === 'true')
  throw new Error('redis-server is not installed. CI must test with it.');
if (!installed) process.stderr.write('redis-server is not installed: its tests are skipped.\n');

export const NO_REDIS = installed ? '' : ' (skipped: redis-server is not installed)';
export const skipRedis = !installed;

export async function startTestRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
        stdio: 'ignore',
      });
      while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20));
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
  await redis.start();
  return redis;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.on('error', () => resolve(false));
  });
}
