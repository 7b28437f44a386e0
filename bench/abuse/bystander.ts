import type { ChildProcess } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { pauseFor } from '../../src/node/pause-for.ts';
import { spreadOf } from '../statistics.ts';
import type { Browsed, BrowseOrder } from './browse-process.ts';
import type { Knobs } from './knobs.ts';
import type { ProbedGateway } from './probed-gateway.ts';
import type { Clients, Sender } from './send.ts';
import type { Target } from './targets.ts';

/** What another client notices of an attack. */
export interface Effect {
  readonly pageP50Ms: number;
  readonly pageP99Ms: number;
  /** p99 of pages that read a wallet from the chain. */
  readonly walletP99Ms: number;
  readonly failed: number;
  /** Longest time for which the event loop ran without a pause, garbage collection left out. */
  readonly loopStretchMs: number;
  /** The slowest answer to the attacker; 0 for streams. */
  readonly slowestAnswerMs: number;
  /** Requests of the attacker that were not refused. */
  readonly admitted: number;
}

export interface BystanderOptions {
  readonly gateway: ProbedGateway;
  readonly sender: Sender;
  readonly clients: Clients;
  /** Runs `browse-process.ts`. */
  readonly browser: ChildProcess;
  readonly browseMs: number;
}

/** One caller without a key may hold as many connections as it likes. */
const CONNECTIONS = 8;
/** Default of MAX_STREAMS_PER_CLIENT. */
const STREAMS = 100;
const FIRST_NUMBER = 10_000_000;

/** Measures another client alone. */
export async function undisturbed(options: BystanderOptions): Promise<Effect> {
  return await beside(options, async () => ({ slowestAnswerMs: 0, admitted: 0 }));
}

/** Measures another client while one caller sends a request as often as its limit permits. */
export async function disturbed(options: BystanderOptions, target: Target, knobs: Knobs): Promise<Effect> {
  const attack = target.isStream ? holdStreams : repeat;
  return await beside(options, (stop) => attack(options, target, knobs, stop));
}

export interface Attacked {
  readonly slowestAnswerMs: number;
  readonly admitted: number;
}

/** Measures another client during an attack. */
export async function beside(
  { gateway, clients, browser, browseMs }: BystanderOptions,
  attack: (stop: AbortSignal) => Promise<Attacked>,
): Promise<Effect> {
  await gateway.settled();
  await gateway.longestStretchMs();
  const stopping = new AbortController();
  setMaxListeners(STREAMS + CONNECTIONS, stopping.signal);
  const attacked = attack(stopping.signal);
  const done = once(browser, 'message');
  const wallet = gateway.world.addresses.wallet ?? '';
  browser.send({ url: gateway.url, client: clients.next(), wallet, ms: browseMs } satisfies BrowseOrder);
  const [{ pagesMs, walletsMs, failed }] = (await done) as [Browsed];
  const loopStretchMs = await gateway.longestStretchMs();
  stopping.abort();
  const pages = spreadOf(pagesMs);
  const walletP99Ms = spreadOf(walletsMs).p99;
  return {
    pageP50Ms: pages.p50,
    pageP99Ms: pages.p99,
    walletP99Ms,
    failed,
    loopStretchMs,
    ...(await attacked),
  };
}

async function repeat(
  { sender, clients }: BystanderOptions,
  target: Target,
  knobs: Knobs,
  stop: AbortSignal,
): Promise<Attacked> {
  const client = clients.next();
  let [number, slowestAnswerMs, admitted] = [FIRST_NUMBER, 0, 0];
  const connection = async () => {
    while (!stop.aborted) {
      number += 1;
      const { status, ms, retryAfter } = await sender.send(target.attack(knobs, number), client);
      slowestAnswerMs = Math.max(slowestAnswerMs, ms);
      if (status === 429) await pauseFor(retryAfter * 1_000, stop);
      else admitted += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return { slowestAnswerMs, admitted };
}

async function holdStreams(
  { sender, clients }: BystanderOptions,
  target: Target,
  knobs: Knobs,
  stop: AbortSignal,
): Promise<Attacked> {
  const client = clients.next();
  const statuses = await Promise.all(
    Array.from({ length: STREAMS }, (_, i) =>
      // The end of the measurement closes streams that are still being opened.
      sender.stream(target.attack(knobs, FIRST_NUMBER + i), client, stop).catch(() => 0),
    ),
  );
  return { slowestAnswerMs: 0, admitted: statuses.filter((status) => status === 200).length };
}
