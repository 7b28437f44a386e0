import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startLocalnetProcess } from './localnet-process.ts';
import { printTable } from './measure.ts';
import type { LoadOrder, LoadResult } from './peers/http-load.ts';
import { nested, type Variation } from './peers/queries.ts';
import type { Reply, Usage } from './peers/worker.ts';
import { startGateway } from './rest.ts';

/** 32 vaults per unit of scale; the query selects fifty. */
const SCALE = 6;
const CONNECTIONS = 8;
const SECONDS = 2;
const ROUNDS = 3;

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const worker = (name: string, args: readonly string[] = []) =>
  fork(pathOf(name), args, { execArgv: ['--import', 'tsx'] });

/** Sends an order to a worker and waits for its reply. Without an order, waits for the greeting. */
async function reply<T>(
  child: ChildProcess,
  order?: { readonly task: string; readonly input: unknown },
): Promise<T> {
  const id = order === undefined ? 0 : 1;
  const answered = new Promise<Reply>((resolve) => {
    const listen = (message: unknown) => {
      if ((message as Reply).id !== id) return;
      child.off('message', listen);
      resolve(message as Reply);
    };
    child.on('message', listen);
  });
  if (order !== undefined) child.send({ id, ...order });
  const { result, error } = await answered;
  if (error !== undefined) throw new Error(error);
  return result as T;
}

interface Server {
  readonly name: string;
  readonly url: string;
  readonly variation: Variation;
  readonly cpuMicros: () => Promise<number>;
}

async function cpuByMetrics(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e6;
}

interface Rate {
  readonly perSecond: number;
  /** CPU time of the server per answer. Unlike the rate, it hardly depends on the load of the machine. */
  readonly cpuMicros: number;
}

async function rateOf(
  load: ChildProcess,
  { name, url, variation, cpuMicros }: Server,
  seconds: number,
): Promise<Rate> {
  const before = await cpuMicros();
  const input: LoadOrder = { url, variation, connections: CONNECTIONS, seconds };
  const done = await reply<LoadResult>(load, { task: 'load', input });
  if (done.failed > 0) throw new Error(`${done.failed} answers of ${name} were not 200`);
  const answers = done.latenciesMs.length;
  return { perSecond: answers / done.seconds, cpuMicros: ((await cpuMicros()) - before) / answers };
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Our answer to the nested query, for the bare server. */
async function recorded(url: string) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  const body = JSON.stringify(nested('same', 0));
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const own = Object.fromEntries(
    [...response.headers].filter(
      ([name]) => !['connection', 'date', 'keep-alive', 'transfer-encoding'].includes(name),
    ),
  );
  return { headers: { ...own, 'content-length': String(bytes.byteLength) }, body: bytes.toString('base64') };
}

/**
 * Fifty nested vaults over HTTP: the same request repeated, distinct variables, and distinct documents. Compared with the
 * same schema on plain graphql-yoga and with a bare server that sends the same bytes.
 */
export async function run(): Promise<void> {
  const chain = await startLocalnetProcess(SCALE);
  const gateway = await startGateway(chain, { VIEW_REFRESH_MS: '600000', RATE_LIMIT: '0' });
  const yoga = worker('peers/schema-server.ts', ['yoga', chain.url]);
  const raw = worker('rest-raw.ts');
  const load = worker('peers/http-load.ts');
  try {
    const [{ url: yogaUrl }] = await Promise.all([reply<{ url: string }>(yoga), reply(load)]);
    const ours = `${gateway.url}/graphql`;
    raw.send({ '/graphql': await recorded(ours) });
    const [rawUrl] = (await once(raw, 'message')) as [string];
    const yogaCpu = async () => (await reply<Usage>(yoga, { task: 'usage', input: null })).cpuMicros;
    const cpuMicros = () => cpuByMetrics(gateway.url);
    const servers: Server[] = [
      {
        name: 'bare node:http',
        url: `${rawUrl}/graphql`,
        variation: 'same',
        cpuMicros: () => cpuByMetrics(rawUrl),
      },
      { name: 'ours, same query', url: ours, variation: 'same', cpuMicros },
      { name: 'ours, distinct variables', url: ours, variation: 'variables', cpuMicros },
      { name: 'ours, distinct documents', url: ours, variation: 'documents', cpuMicros },
      { name: 'plain yoga, distinct variables', url: yogaUrl, variation: 'variables', cpuMicros: yogaCpu },
      { name: 'plain yoga, distinct documents', url: yogaUrl, variation: 'documents', cpuMicros: yogaCpu },
    ];
    for (const server of servers) await rateOf(load, server, SECONDS * 2);
    const rates = servers.map((): Rate[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [i, server] of servers.entries()) rates[i]?.push(await rateOf(load, server, SECONDS));
    }
    const rows = servers.map(({ name }, i) => {
      const perSecond = median((rates[i] ?? []).map((rate) => rate.perSecond));
      const cpu = median((rates[i] ?? []).map((rate) => rate.cpuMicros));
      return { name, perSecond, cpu };
    });
    const [bare] = rows;
    const yogaRow = rows.at(-2);
    printTable([
      ['50 vaults, nested', 'per s', 'of bare', 'of yoga', 'CPU us', 'bare/ours', 'yoga/ours'],
      ...rows.map(({ name, perSecond, cpu }) => [
        name,
        perSecond.toFixed(0),
        (perSecond / (bare?.perSecond ?? 1)).toFixed(2),
        (perSecond / (yogaRow?.perSecond ?? 1)).toFixed(1),
        cpu.toFixed(0),
        ((bare?.cpu ?? 0) / cpu).toFixed(2),
        ((yogaRow?.cpu ?? 0) / cpu).toFixed(1),
      ]),
    ]);
  } finally {
    for (const child of [yoga, raw, load]) child.disconnect();
    await gateway.stop();
    chain.stop();
  }
}
