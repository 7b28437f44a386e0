import { parseArgs } from 'node:util';
import type { GeneratorOrder, KindTally, Tally } from './load/generator.ts';
import type { MovingChain } from './load/moving-chain.ts';
import {
  type Gauges,
  type Memory,
  startWatchedGateway,
  type WatchedGateway,
} from './load/watched-gateway.ts';
import { printTable } from './measure.ts';
import { buildAll } from './peers/built-code.ts';
import { Worker } from './peers/processes.ts';
import { scratchDatabase } from './peers/scratch-database.ts';
import { spreadOf, threeDigits } from './statistics.ts';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
/** Growth by more than this share counts as a leak. */
const MEMORY_SHARE = 0.1;
/** Takes the minimum of several samples over more than the life of a View, to exclude work in flight. */
const MEMORY_SAMPLES = 12;
const MEMORY_SAMPLE_SECONDS = 2.5;

/** Interval of the progress lines. */
const PROGRESS_SECONDS = 30;

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

async function memoryOf(gateway: WatchedGateway): Promise<Memory> {
  const samples: Memory[] = [];
  for (let i = 0; i < MEMORY_SAMPLES; i += 1) {
    await pause(MEMORY_SAMPLE_SECONDS);
    samples.push(await gateway.retainedMemory());
  }
  return {
    rssMb: Math.min(...samples.map(({ rssMb }) => rssMb)),
    heapMb: Math.min(...samples.map(({ heapMb }) => heapMb)),
  };
}

function kindRow({ name, sent, latenciesMs, failed }: KindTally, seconds: number): string[] {
  if (latenciesMs.length === 0) return [name, '0', '0', String(failed), '-', '-'];
  const { count, p50, p99 } = spreadOf(latenciesMs);
  const perSecond = threeDigits(count / seconds);
  return [name, String(sent), perSecond, String(failed), threeDigits(p50), threeDigits(p99)];
}

function print({ kinds, seconds, streams }: Tally, before: Gauges, after: Gauges): void {
  printTable([
    ['kind', 'sent', 'answered/s', 'failed', 'p50 ms', 'p99 ms'],
    ...kinds.map((kind) => kindRow(kind, seconds)),
  ]);
  const lines = [
    '',
    `streams: ${streams.open} open, ${streams.events} events delivered (${threeDigits(streams.events / seconds)}/s, ${threeDigits(streams.bytes / seconds / 1e3)} KB/s) of ${after.executions - before.executions} executions, ${after.superseded - before.superseded} superseded unread`,
    `event loop of the gateway, worst half minute: delay p50 ${threeDigits(after.loopDelayP50Ms)} ms, p99 ${threeDigits(after.loopDelayP99Ms)} ms, longest ${threeDigits(after.loopDelayMaxMs)} ms`,
    `processor: ${threeDigits((100 * (after.cpuSeconds - before.cpuSeconds)) / seconds)} % of a core`,
    `errors counted by the gateway: ${after.errors === '' ? 'none' : after.errors}`,
    ...[...kinds.flatMap(({ wrong }) => wrong), ...streams.wrong].map((each) => `wrong: ${each}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints each criterion with its numbers. Returns whether all are met. */
function verdicts(tally: Tally, clients: number, warm: Memory, end: Memory): boolean {
  const failed = tally.kinds.reduce((sum, each) => sum + each.failed, 0) + tally.streams.failed;
  const grown = (now: number, then: number) => `${now.toFixed(1)} MB, ${then.toFixed(1)} after warm-up`;
  const criteria: readonly (readonly [string, boolean, string])[] = [
    ['no unexpected error', failed === 0, `${failed}`],
    ['all streams open', tally.streams.open === clients, `${tally.streams.open} of ${clients}`],
    ['heap within 10 %', end.heapMb <= warm.heapMb * (1 + MEMORY_SHARE), grown(end.heapMb, warm.heapMb)],
    ['resident within 10 %', end.rssMb <= warm.rssMb * (1 + MEMORY_SHARE), grown(end.rssMb, warm.rssMb)],
  ];
  for (const [name, met, numbers] of criteria) {
    process.stdout.write(`${met ? 'met   ' : 'MISSED'} ${name}: ${numbers}\n`);
  }
  return criteria.every(([, met]) => met);
}

/** Prints progress while the load runs. Resolves to the final gauges with the worst delays of any interval. */
async function watch(gateway: WatchedGateway, seconds: number): Promise<Gauges> {
  const parts: Gauges[] = [];
  for (let passed = 0; passed < seconds; passed += PROGRESS_SECONDS) {
    await pause(Math.min(PROGRESS_SECONDS, seconds - passed));
    const part = await gateway.gauges();
    parts.push(part);
    const { rssMb, heapMb, errors } = part;
    const progress = `${passed + PROGRESS_SECONDS} s: heap ${heapMb.toFixed(0)} MB including garbage, resident ${rssMb.toFixed(0)} MB`;
    process.stdout.write(`${progress}${errors === '' ? '' : `, errors ${errors}`}\n`);
  }
  const worst = (delay: (part: Gauges) => number) => Math.max(...parts.map(delay));
  return {
    ...(await gateway.gauges()),
    loopDelayP50Ms: worst(({ loopDelayP50Ms }) => loopDelayP50Ms),
    loopDelayP99Ms: worst(({ loopDelayP99Ms }) => loopDelayP99Ms),
    loopDelayMaxMs: worst(({ loopDelayMaxMs }) => loopDelayMaxMs),
  };
}

async function runLoad(
  url: string,
  chain: MovingChain,
  gateway: WatchedGateway,
  options: Options,
): Promise<boolean> {
  const { seconds, warmUp, rate, clients } = options;
  const generator = new Worker('load/generator');
  try {
    await generator.greeting;
    await generator.ask('start', { url, chain, rate, clients } satisfies GeneratorOrder);
    process.stdout.write(`${clients} streams are open; warming up for ${warmUp} s, then ${seconds} s\n`);
    await pause(warmUp);
    const warm = await memoryOf(gateway);
    await generator.ask<Tally>('take');
    const before = await gateway.gauges();
    const after = await watch(gateway, seconds);
    const tally = await generator.ask<Tally>('take');
    const end = await memoryOf(gateway);
    print(tally, before, after);
    await generator.ask('stop');
    return verdicts(tally, clients, warm, end);
  } finally {
    await generator.stop();
  }
}

interface Options {
  readonly seconds: number;
  readonly warmUp: number;
  readonly rate: number;
  readonly clients: number;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '300' },
      'warm-up': { type: 'string', default: '120' },
      rate: { type: 'string', default: '1' },
      clients: { type: 'string', default: '500' },
    },
  });
  return {
    seconds: Number(values.seconds),
    warmUp: Number(values['warm-up']),
    rate: Number(values.rate),
    clients: Number(values.clients),
  };
}

/**
 * Runs a mixed load at a fixed arrival rate against a gateway with PostgreSQL and Redis. Chain, gateway and generator are
 * separate processes. Exits with code 1 when a criterion is missed.
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  await buildAll();
  const database = await scratchDatabase();
  if (database === null) {
    process.exitCode = 1;
    return;
  }
  const chainWorker = new Worker<MovingChain>('load/moving-chain-process', ['1']);
  let gateway: WatchedGateway | undefined;
  try {
    const chain = await chainWorker.greeting;
    gateway = await startWatchedGateway(chain, {
      DATABASE_URL: database.url,
      REDIS_URL,
      STREAM_SECRET: 'a secret of the gateways of one bench',
      RECORDER: 'inside',
      // Limits are counted but never reached: all clients share one address.
      RATE_LIMIT: '1000000000',
      MAX_STREAMS_PER_CLIENT: String(options.clients + 10),
    });
    if (!(await runLoad(gateway.url, chain, gateway, options))) process.exitCode = 1;
  } finally {
    await gateway?.stop();
    await chainWorker.stop();
    await database.drop();
  }
}
