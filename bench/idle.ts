import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable } from './measure.ts';
import { buildAll } from './peers/built-code.ts';
import { startEmbeddedGateway, untilHistoryIsReady, usageByMetrics } from './peers/processes.ts';
import type { Usage } from './peers/worker.ts';

interface Moment extends Usage {
  readonly atMs: number;
}

async function momentOf(origin: string): Promise<Moment> {
  return { atMs: performance.now(), ...(await usageByMetrics(origin)) };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const processorSeconds = ({ cpuMicros }: Usage) => `${(cpuMicros / 1e6).toFixed(1)} s`;
const megabytes = ({ rssBytes }: Usage) => `${(rssBytes / 1e6).toFixed(0)} MB`;

function shareOfACore(from: Moment, to: Moment): string {
  const share = (to.cpuMicros - from.cpuMicros) / 1_000 / (to.atMs - from.atMs);
  return `${(100 * share).toFixed(1)} %`;
}

/** Cost of `npm start` without settings and without requests: gateway, localnet, database and history. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '3' }, seconds: { type: 'string', default: '60' } },
  });
  await buildAll();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-idle-'));
  const gateway = await startEmbeddedGateway(join(folder, 'data'));
  try {
    const { origin } = new URL(gateway.url);
    await untilHistoryIsReady(origin);
    let before = await momentOf(origin);
    const rows = [
      ['', 'time', 'processor', 'resident'],
      ['listening', seconds(gateway.listeningAt - gateway.startedAt), '', ''],
      [
        'history is ready',
        seconds(before.atMs - gateway.startedAt),
        processorSeconds(before),
        megabytes(before),
      ],
    ];
    for (let period = 1; period <= Number(values.minutes); period += 1) {
      await sleep(Number(values.seconds) * 1_000);
      const after = await momentOf(origin);
      rows.push([
        `idle, period ${period}`,
        seconds(after.atMs - before.atMs),
        shareOfACore(before, after),
        megabytes(after),
      ]);
      before = after;
    }
    printTable(rows);
    process.stdout.write(
      `load average: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')}\n`,
    );
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
