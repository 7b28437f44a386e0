import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type App, createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { abuses } from '../abuse-requests.ts';
import { startLocalnetProcess } from '../localnet-process.ts';
import { printTable } from '../measure.ts';
import { startGateway } from '../rest.ts';
import { spreadOf, threeDigits } from '../statistics.ts';

const ROUNDS = 10;
const WARM_UP = 3;
const FLOOD_CONNECTIONS = 8;
const PAGE_READS = 200;
/** The second client browses pages; it is not a second flood. */
const PAUSE_MS = 20;
const PLAIN = JSON.stringify({ query: '{ vaults(first: 10) { nodes { name totalValue { usd } } } }' });

async function ask(app: App, body: string): Promise<string> {
  const response = await app.fetch(
    new Request('http://bench/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body,
    }),
  );
  return `${response.status} ${(await response.text()).length}`;
}

/** CPU milliseconds of this process per request, client included. */
async function cpuMs(app: App, body: (round: number) => string): Promise<number> {
  for (let round = 0; round < WARM_UP; round += 1) await ask(app, body(-1 - round));
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) await ask(app, body(round));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / ROUNDS;
}

async function refusals(rpcUrl: string, obligation: string): Promise<void> {
  const app = await createApp(
    loadConfig({
      SOLANA_RPC_URLS: rpcUrl,
      SOLANA_CLUSTER: 'localnet',
      VIEW_REFRESH_MS: '600000',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'silent',
    }),
  );
  try {
    while (app.chain.views.newest === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    const plain = await cpuMs(app, (round) => PLAIN.replace('{ vaults', `query Q${round + 10} { vaults`));
    const rows: string[][] = [['plain query, distinct', '200', threeDigits(plain), '1.00']];
    for (const { name, code, body } of abuses(`obligation(address: "${obligation}") { address }`)) {
      const ms = await cpuMs(app, () => body);
      rows.push([name, code, threeDigits(ms), threeDigits(ms / plain)]);
    }
    printTable([['request', 'answer', 'CPU ms', 'x plain'], ...rows]);
  } finally {
    await app.stop();
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: FLOOD_CONNECTIONS + 1 });

/** One read with the given client address. */
function read(url: string, client: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': client };
    httpRequest(`${url}/kvaults/summary`, { headers, agent }, (response) => {
      buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
    })
      .on('error', reject)
      .end();
  });
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

async function browse(url: string): Promise<Latency> {
  const times: number[] = [];
  let failed = 0;
  for (let i = 0; i < PAGE_READS; i += 1) {
    const started = performance.now();
    if ((await read(url, '203.0.113.2')) !== 200) failed += 1;
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const { p50, p99 } = spreadOf(times);
  return { p50, p99, failed };
}

/** One client keeps sending at full speed past its rate limit while another browses. */
async function twoClients(chain: Awaited<ReturnType<typeof startLocalnetProcess>>): Promise<boolean> {
  const gateway = await startGateway(chain, { RATE_LIMIT: '3000', TRUSTED_PROXIES: '127.0.0.1' });
  try {
    await browse(gateway.url);
    const alone = await browse(gateway.url);
    let flooding = true;
    let refused = 0;
    const flood = Array.from({ length: FLOOD_CONNECTIONS }, async () => {
      while (flooding) if ((await read(gateway.url, '203.0.113.1')) === 429) refused += 1;
    });
    const started = performance.now();
    const duringFlood = await browse(gateway.url);
    const seconds = (performance.now() - started) / 1_000;
    flooding = false;
    await Promise.all(flood);
    process.stdout.write('\n');
    printTable([
      ['second client', 'p50 ms', 'p99 ms', 'failed'],
      ['alone', threeDigits(alone.p50), threeDigits(alone.p99), String(alone.failed)],
      [
        `during ${threeDigits(refused / seconds)} refusals a second`,
        threeDigits(duringFlood.p50),
        threeDigits(duringFlood.p99),
        String(duringFlood.failed),
      ],
    ]);
    return duringFlood.failed === 0 && refused > 0;
  } finally {
    agent.destroy();
    await gateway.stop();
  }
}

/**
 * CPU cost of a refusal compared with an answer, and the effect of a flood of refusals on other clients. False when the
 * flood was not refused or another client was.
 */
export async function measureRefusals(): Promise<boolean> {
  const chain = await startLocalnetProcess(1);
  try {
    await refusals(chain.url, chain.addresses.obligation ?? '');
    return await twoClients(chain);
  } finally {
    chain.stop();
  }
}
