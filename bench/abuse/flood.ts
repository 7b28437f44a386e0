import { pauseFor } from '../../src/node/pause-for.ts';
import { printTable } from '../measure.ts';
import { threeDigits } from '../statistics.ts';
import { type Attacked, type BystanderOptions, beside, type Effect } from './bystander.ts';
import { nth } from './cast.ts';
import type { Attack } from './targets.ts';

/** Callers in networks of their own, each with a limit of its own. */
const NETWORKS = 30;
const ROUNDS = 2;

/** Requests that make the gateway read the transactions of an address, most of them after the answer. */
function coldRead({ gateway }: BystanderOptions, number: number): Attack {
  const { members, all } = gateway.world.cast;
  const { market, obligation } = nth(members, number);
  const wallet = nth(all.wallet, number);
  const paths = [
    `/kvaults/users/${wallet}/transactions`,
    `/v2/svc-market/${market}/obligations/${obligation}/transactions`,
    `/v2/svc-market/users/${wallet}/transactions`,
    `/v2/svc-market/${market}/obligations/${obligation}/pnl`,
  ];
  return { method: 'GET', target: `${nth(paths, number)}?n=${number}`, body: null };
}

async function flood(options: BystanderOptions, stop: AbortSignal): Promise<Attacked> {
  let [number, slowestAnswerMs, admitted] = [0, 0, 0];
  const caller = async (network: number) => {
    while (!stop.aborted) {
      number += 1;
      const client = `100.${network}.0.1`;
      const { status, ms, retryAfter } = await options.sender.send(coldRead(options, number), client);
      slowestAnswerMs = Math.max(slowestAnswerMs, ms);
      if (status === 429 || status === 503) await pauseFor(Math.max(1, retryAfter) * 1_000, stop);
      else admitted += 1;
    }
  };
  await Promise.all(Array.from({ length: NETWORKS }, (_, network) => caller(network)));
  return { slowestAnswerMs, admitted };
}

const row = (
  label: string,
  { pageP50Ms, pageP99Ms, walletP99Ms, loopStretchMs, failed, admitted }: Effect,
) => [
  label,
  ...[pageP50Ms, pageP99Ms, walletP99Ms, loopStretchMs].map(threeDigits),
  String(failed),
  String(admitted),
];

/** An ordinary client alone, and while others have the transactions of addresses read that nobody has read before. */
export async function measureFlood(options: BystanderOptions): Promise<void> {
  const rows = [['another client', 'p50 ms', 'p99 ms', 'wallet p99', 'loop ms', 'failed', 'admitted']];
  for (let round = 0; round < ROUNDS; round += 1) {
    rows.push(row('alone', await beside(options, async () => ({ slowestAnswerMs: 0, admitted: 0 }))));
    await options.gateway.forget();
    rows.push(row(`${NETWORKS} networks read`, await beside(options, (stop) => flood(options, stop))));
  }
  await options.gateway.settled();
  process.stdout.write('\n');
  printTable(rows);
}
