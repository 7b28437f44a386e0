import { type Link, startDelayingProxy } from '../delaying-proxy.ts';

export interface Traffic {
  readonly calls: number;
  /** Bodies of requests and responses as they are on the wire. */
  readonly bytes: number;
}

/** A proxy to the chain that counts the traffic of each client and delays every call. */
export interface CountedRpc {
  /** The address that a client has to use so that its calls are counted under its name. */
  urlFor(client: string): string;
  of(client: string): Traffic;
  total(): Traffic;
  /** Resolves at the next call of the method. */
  nextCall(method: string): Promise<void>;
  stop(): Promise<void>;
}

const NONE: Traffic = { calls: 0, bytes: 0 };
const sum = (a: Traffic, b: Traffic): Traffic => ({ calls: a.calls + b.calls, bytes: a.bytes + b.bytes });

export async function startCountedRpc(target: string, link: Link): Promise<CountedRpc> {
  const traffic = new Map<string, Traffic>();
  const waiting = new Map<string, Set<() => void>>();
  const add = (client: string, more: Traffic) => traffic.set(client, sum(traffic.get(client) ?? NONE, more));

  const proxy = await startDelayingProxy(target, link, {
    called({ client, method, bytes }) {
      add(client, { calls: 1, bytes });
      for (const resolve of waiting.get(method) ?? []) resolve();
      waiting.delete(method);
    },
    answered: ({ client }, bytes) => add(client, { calls: 0, bytes }),
  });
  return {
    urlFor: (client) => `${proxy.url}/${client}`,
    of: (client) => traffic.get(client) ?? NONE,
    total: () => [...traffic.values()].reduce(sum, NONE),
    nextCall: (method) =>
      new Promise((resolve) => {
        waiting.set(method, (waiting.get(method) ?? new Set()).add(resolve));
      }),
    stop: () => proxy.stop(),
  };
}
