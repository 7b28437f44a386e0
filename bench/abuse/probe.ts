import { setMaxListeners } from 'node:events';
import type { Knobs } from './knobs.ts';
import type { Counters, ProbedGateway } from './probed-gateway.ts';
import type { Clients, Sender } from './send.ts';
import type { Target } from './targets.ts';

/** What the gateway spent on requests, per unit charged for them. Of a stream, in its first minute. */
export interface Reading {
  readonly cpuMsPerUnit: number;
  readonly rpcCallsPerUnit: number;
  readonly sqlMsPerUnit: number;
  readonly cpuMsPerRequest: number;
  readonly unitsPerRequest: number;
  /** Slowest answer. */
  readonly longestMs: number;
  /** Status of the last answer. */
  readonly status: number;
}

/** Spending of a gateway without callers, per View, and of one read of its counters. */
interface Idle {
  readonly cpuMs: number;
  readonly rpcCalls: number;
  readonly sqlMs: number;
  readonly cpuMsPerRead: number;
}

const IDLE_MS = 10_000;
const IDLE_READS = 10;
const MAX_SENDS = 40;
/** Many, so that their cost stands out from that of the Views. */
const STREAMS = 20;
/** Several Views, measured twice: while the streams are opened and while they are open. */
const STREAM_MS = 5_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Measures requests on a gateway that nobody else uses. */
export class Probe {
  readonly #gateway: ProbedGateway;
  readonly #sender: Sender;
  readonly #clients: Clients;
  readonly #idle: Idle;
  /** Every request has another number, so that none is answered from a cache. */
  #number = 0;

  private constructor(gateway: ProbedGateway, sender: Sender, clients: Clients, idle: Idle) {
    this.#gateway = gateway;
    this.#sender = sender;
    this.#clients = clients;
    this.#idle = idle;
  }

  static async start(gateway: ProbedGateway, sender: Sender, clients: Clients): Promise<Probe> {
    const first = await gateway.counters();
    for (let i = 0; i < IDLE_READS; i += 1) await gateway.counters();
    const before = await gateway.counters();
    const cpuMsPerRead = (before.cpuMs - first.cpuMs) / (IDLE_READS + 1);
    await pause(IDLE_MS);
    const after = await gateway.counters();
    const views = Math.max(1, after.views - before.views);
    const idle: Idle = {
      cpuMs: (after.cpuMs - before.cpuMs - cpuMsPerRead) / views,
      rpcCalls: (after.rpcCalls - before.rpcCalls) / views,
      sqlMs: (after.sqlMs - before.sqlMs) / views,
      cpuMsPerRead,
    };
    return new Probe(gateway, sender, clients, idle);
  }

  /** @param enoughMs time to go on repeating a request that is answered sooner */
  async measure(target: Target, knobs: Knobs, enoughMs: number): Promise<Reading> {
    return target.isStream
      ? await this.#stream(target, knobs)
      : await this.#requests(target, knobs, enoughMs);
  }

  async #requests(target: Target, knobs: Knobs, enoughMs: number): Promise<Reading> {
    const before = await this.#gateway.settled();
    const until = performance.now() + enoughMs;
    let [sends, longestMs, status] = [0, 0, 0];
    do {
      this.#number += 1;
      const attack = target.attack(knobs, this.#number);
      const answered = await this.#sender.send(attack, this.#clients.next());
      sends += 1;
      status = answered.status;
      longestMs = Math.max(longestMs, answered.ms);
    } while (sends < MAX_SENDS && performance.now() < until);
    const spent = this.#spent(before, await this.#gateway.settled());
    return readingOf(spent, { sends, longestMs, status });
  }

  async #stream(target: Target, knobs: Knobs): Promise<Reading> {
    const before = await this.#gateway.settled();
    const closing = new AbortController();
    setMaxListeners(STREAMS, closing.signal);
    const started = performance.now();
    const opened = Array.from({ length: STREAMS }, () => {
      this.#number += 1;
      const attack = target.attack(knobs, this.#number);
      return this.#sender.stream(attack, this.#clients.next(), closing.signal);
    });
    const [status = 0] = await Promise.all(opened);
    const longestMs = performance.now() - started;
    await pause(STREAM_MS);
    const middle = await this.#gateway.counters();
    await pause(STREAM_MS);
    const after = await this.#gateway.counters();
    closing.abort();
    const opening = this.#spent(before, middle);
    const later = this.#spent(middle, after);
    const minutes = (60_000 - (middle.at - before.at)) / (after.at - middle.at);
    const spent: Spent = {
      cpuMs: opening.cpuMs + minutes * later.cpuMs,
      rpcCalls: opening.rpcCalls + minutes * later.rpcCalls,
      sqlMs: opening.sqlMs + minutes * later.sqlMs,
      units: opening.units + minutes * later.units,
    };
    return readingOf(spent, { sends: STREAMS, longestMs, status });
  }

  #spent(before: Counters, after: Counters): Spent {
    const views = after.views - before.views;
    const { cpuMs, rpcCalls, sqlMs, cpuMsPerRead } = this.#idle;
    return {
      cpuMs: Math.max(0, after.cpuMs - before.cpuMs - cpuMsPerRead - cpuMs * views),
      rpcCalls: Math.max(0, after.rpcCalls - before.rpcCalls - rpcCalls * views),
      sqlMs: Math.max(0, after.sqlMs - before.sqlMs - sqlMs * views),
      units: after.units - before.units,
    };
  }
}

interface Spent {
  readonly cpuMs: number;
  readonly rpcCalls: number;
  readonly sqlMs: number;
  readonly units: number;
}

function readingOf(
  { cpuMs, rpcCalls, sqlMs, units }: Spent,
  {
    sends,
    longestMs,
    status,
  }: { readonly sends: number; readonly longestMs: number; readonly status: number },
): Reading {
  return {
    cpuMsPerUnit: cpuMs / units,
    rpcCallsPerUnit: rpcCalls / units,
    sqlMsPerUnit: sqlMs / units,
    cpuMsPerRequest: cpuMs / sends,
    unitsPerRequest: units / sends,
    longestMs,
    status,
  };
}
