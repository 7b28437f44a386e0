import { parseArgs } from 'node:util';
import { freePort, startTestRedis } from '../test/support/databases/redis-server.ts';
import { SECRET } from './feed/fed-positions.ts';
import { FleetGateway } from './feed/fleet.ts';
import { parseCounts } from './feed/synthetic-positions.ts';
import { buildAll } from './peers/built-code.ts';
import { Worker } from './peers/processes.ts';
import type { Person, StreamedChain } from './stream/chain-process.ts';
import { startCountedStream } from './stream/counted-stream.ts';
import { GatewayMetrics } from './stream/gateway-metrics.ts';
import type { PeopleCounts } from './stream/people.ts';
import { type Polled, printReport, type StreamResults } from './stream/report.ts';
import { measureSteady, type StreamedGateways } from './stream/steady.ts';
import { readWallets } from './stream/wallet-reads.ts';

const START_MS = 900_000;
const POLL_MS = 100;
/** A first discovery and everything else that only a start does. */
const POLLING_SETTLE_MS = 20_000;
const WARM_UP = 50;
const AT_ONCE = 100;
const WATCHED = 20;
/** Leaves out the gateway that polls. */
const NONE = 'none';

/**
 * Cost and speed of a stream of accounts: a localnet of mainnet's size with the accounts of many wallets, of which some change in
 * every slot, a gateway that follows its gRPC service, and one that follows that gateway over Redis. All are separate
 * processes. Fails when an event, an answer about an unknown wallet or a process exceeds its floor.
 *
 *   npm run bench -- stream [--positions 200000x300000] [--changes 20,250] [--reserves 20] [--seconds 60] [--wallets 500]
 *     [--polling 60 | none]
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** 5 is about the size of mainnet: 160 vaults, 360 reserves. */
      scale: { type: 'string', default: '5' },
      /** Obligations and share accounts. */
      positions: { type: 'string', default: '200000x300000' },
      /** Obligations and share accounts that change in a slot; each number is measured. */
      changes: { type: 'string', default: '20,250' },
      /** Reserves that are refreshed in a slot, beside four by the world itself. */
      reserves: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '60' },
      /** Wallets that are read one after the other, by each gateway. */
      wallets: { type: 'string', default: '500' },
      /** Seconds for which a gateway that polls is measured. */
      polling: { type: 'string', default: '60' },
    },
  });
  await buildAll();
  const counts = parseCounts(values.positions);
  const chainWorker = new Worker<StreamedChain>('stream/chain-process', [
    values.scale,
    String(counts.obligations),
    String(counts.shares),
  ]);
  try {
    const chain = await chainWorker.greeting;
    const { vaults, reserves, markets } = chain.size;
    process.stdout.write(
      `${vaults} vaults, ${reserves} reserves, ${markets} markets, ${counts.obligations} obligations, ${counts.shares} share accounts\n`,
    );
    const streamed = await measureStreamed(chainWorker, chain, {
      counts,
      seconds: Number(values.seconds),
      wallets: Number(values.wallets),
      movements: values.changes
        .split(',')
        .map((positions) => ({ positions: Number(positions), reserves: Number(values.reserves) })),
    });
    const polled = values.polling === NONE ? null : await measurePolling(chain, Number(values.polling));
    if (!printReport({ ...streamed, counts, polled })) process.exitCode = 1;
  } finally {
    await chainWorker.stop();
  }
}

interface Plan {
  readonly counts: PeopleCounts;
  readonly seconds: number;
  readonly wallets: number;
  readonly movements: readonly { readonly positions: number; readonly reserves: number }[];
}

const SETTINGS = {
  SOLANA_CLUSTER: 'localnet',
  RECORDER: 'none',
  DRIFT_INTERVAL_MS: '0',
  RATE_LIMIT: '1000000000',
  METRICS_HOLD_MS: '0',
  LOG_LEVEL: 'warn',
};

async function measureStreamed(
  chain: Worker<StreamedChain>,
  { rpcUrl, geyserUrl }: StreamedChain,
  plan: Plan,
): Promise<Omit<StreamResults, 'counts' | 'polled'>> {
  const redis = await startTestRedis();
  const stream = await startCountedStream(geyserUrl);
  const env = {
    ...SETTINGS,
    SOLANA_RPC_URLS: rpcUrl,
    GEYSER_URLS: stream.url,
    REDIS_URL: redis.url,
    STREAM_SECRET: SECRET,
  };
  const gateways: FleetGateway[] = [];
  const add = async (name: string) => {
    const gateway = new FleetGateway(name, await freePort(), env);
    gateways.push(gateway);
    return gateway;
  };
  try {
    const startedAt = performance.now();
    const reader = await add('reader');
    await until(reader, isStreaming);
    const readerLoadSeconds = (performance.now() - startedAt) / 1e3;
    process.stderr.write(`the reader has loaded everything after ${readerLoadSeconds.toFixed(0)} s\n`);
    const followedAt = performance.now();
    const follower = await add('follower');
    await until(follower, follows);
    const followerLoadSeconds = (performance.now() - followedAt) / 1e3;
    process.stderr.write(`the follower has loaded everything after ${followerLoadSeconds.toFixed(0)} s\n`);
    const measured = { chain, stream, reader, follower };
    const steady = await measureMovements(measured, plan);
    const wallets = await measureWallets(measured, plan.wallets);
    const after = await GatewayMetrics.of(reader.url);
    return {
      readerLoadSeconds,
      followerLoadSeconds,
      steady,
      wallets,
      interruptions: after.sum('sluice_stream_interrupted_total'),
      losses: after.sum('sluice_stream_lost_total'),
    };
  } finally {
    for (const gateway of gateways) await gateway.kill();
    await stream.stop();
    await redis.kill();
  }
}

async function measureMovements(gateways: StreamedGateways, { movements, seconds }: Plan) {
  const people = await gateways.chain.ask<Person[]>('people', { from: 0, count: WATCHED });
  const watched = people.map(({ obligation }) => obligation);
  const steady = [];
  for (const movement of movements) {
    await until(gateways.reader, isStreaming);
    process.stderr.write(`${movement.positions} positions per slot\n`);
    steady.push(await measureSteady(gateways, movement, watched, seconds));
  }
  return steady;
}

/** Wallets that nobody has asked for, while the chain moves on. */
async function measureWallets({ chain, reader, follower }: StreamedGateways, wallets: number) {
  let from = WATCHED;
  const next = async (count: number) => {
    from += count;
    return await chain.ask<Person[]>('people', { from: from - count, count });
  };
  const reads = [];
  for (const [name, gateway] of [
    ['reader', reader],
    ['follower', follower],
  ] as const) {
    await until(reader, isStreaming);
    await until(follower, follows);
    await readWallets(name, gateway.url, await next(WARM_UP), 1);
    reads.push(await readWallets(`${name}, one by one`, gateway.url, await next(wallets), 1));
    reads.push(await readWallets(`${name}, ${AT_ONCE} at once`, gateway.url, await next(AT_ONCE), AT_ONCE));
  }
  return reads;
}

const isStreaming = (metrics: GatewayMetrics) =>
  metrics.sum('sluice_stream_status', 'status="streaming"') === 1;

const follows = (metrics: GatewayMetrics) => metrics.sum('sluice_feed_position_loads_total') > 0;

/** A gateway without a stream, with the default intervals. */
async function measurePolling({ rpcUrl }: StreamedChain, seconds: number): Promise<Polled> {
  process.stderr.write('polling\n');
  const gateway = new FleetGateway('polling', await freePort(), { ...SETTINGS, SOLANA_RPC_URLS: rpcUrl });
  try {
    await until(gateway, (metrics) => metrics.sum('sluice_view_number') > 0);
    await pause(POLLING_SETTLE_MS);
    const startedAt = performance.now();
    const before = await GatewayMetrics.of(gateway.url);
    await pause(seconds * 1e3);
    const after = await GatewayMetrics.of(gateway.url);
    return {
      seconds: (performance.now() - startedAt) / 1e3,
      rpcBytes: after.rpcBytes - before.rpcBytes,
      rpcCalls: after.rpcCalls - before.rpcCalls,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      views: after.sum('sluice_view_number') - before.sum('sluice_view_number'),
    };
  } finally {
    await gateway.kill();
  }
}

async function until(gateway: FleetGateway, isSo: (metrics: GatewayMetrics) => boolean): Promise<void> {
  for (const startedAt = performance.now(); ; ) {
    const metrics = await GatewayMetrics.of(gateway.url).catch(() => null);
    if (metrics !== null && isSo(metrics)) return;
    if (performance.now() - startedAt > START_MS) throw new Error('a gateway does not have everything');
    await pause(POLL_MS);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
