import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portfolio } from '../peers/queries.ts';
import { type Spread, spreadOf } from '../statistics.ts';
import type { Person } from './chain-process.ts';
import { GatewayMetrics, medianAnswerMs } from './gateway-metrics.ts';

export interface WalletReads {
  readonly name: string;
  /** As clients see them, in milliseconds. */
  readonly times: Spread;
  /** From the metrics of the gateway. */
  readonly serverP50Ms: number;
  /** Processor time of the gateway for one answer, with what it did meanwhile. */
  readonly cpuMs: number;
  readonly atOnce: number;
  /** RPC calls of the methods that read accounts. The probes of endpoints go on meanwhile. */
  readonly walletCalls: number;
  /** From the first request to the last answer. */
  readonly totalMs: number;
}

/** Reads the portfolio of each wallet once, so many at a time. Every answer must have the wallet's obligation. */
export async function readWallets(
  name: string,
  origin: string,
  people: readonly Person[],
  atOnce: number,
): Promise<WalletReads> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const before = await GatewayMetrics.of(origin);
  const times: number[] = [];
  const startedAt = performance.now();
  const remaining = [...people];
  const client = async () => {
    for (let person = remaining.shift(); person !== undefined; person = remaining.shift()) {
      const askedAt = performance.now();
      const answer = await ask(origin, agent, portfolio(person.wallet));
      times.push(performance.now() - askedAt);
      if (!answer.includes(person.obligation) || answer.includes('"errors"'))
        throw new Error(`a wallet without its obligation: ${answer.slice(0, 500)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, client));
  } finally {
    agent.destroy();
  }
  const totalMs = performance.now() - startedAt;
  const after = await GatewayMetrics.of(origin);
  return {
    name,
    times: spreadOf(times),
    serverP50Ms: medianAnswerMs(before, after),
    cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1e3) / times.length,
    atOnce,
    walletCalls: readsOf(after) - readsOf(before),
    totalMs,
  };
}

const READS = [
  'getMultipleAccounts',
  'getAccountInfo',
  'getProgramAccounts',
  'getTokenAccountsByOwner',
  'getBalance',
];

const readsOf = (metrics: GatewayMetrics) =>
  READS.reduce((sum, method) => sum + metrics.sum('sluice_rpc_calls_total', `method="${method}"`), 0);

function ask(origin: string, agent: Agent, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${origin}/graphql`, { method: 'POST', headers, agent }, (response) => {
      buffer(response).then((bytes) => resolve(bytes.toString()), reject);
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}
