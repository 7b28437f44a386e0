import { startGeyserServer } from '@sluice/localnet/geyser/server';
import { FaultInjector } from '@sluice/localnet/rpc/faults';
import { startRpcServer } from '@sluice/localnet/rpc/server';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { generatePast } from '@sluice/localnet/world/world-past';
import { serveParent } from './worker.ts';

/** Sent to the parent when the chain is ready. */
export interface StillChain {
  readonly url: string;
  /** The same chain with latency on every answer. */
  readonly farUrl: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly size: { readonly vaults: number; readonly reserves: number; readonly markets: number };
  /** Wallets with vault shares and with loans, in a fixed order. */
  readonly wallets: readonly string[];
  readonly vaults: readonly string[];
  readonly markets: readonly string[];
  /** Reserves whose rates count seconds, by a rule that is younger than the SDK of the contender. */
  readonly perSecond: readonly string[];
}

/** The same world with a clock that runs, because a stream without slots is a broken one. Nobody acts in it. */
export interface StreamedWorld {
  /** With latency on every answer. */
  readonly farUrl: string;
  readonly geyserUrl: string;
}

/**
 * The localnet with a stopped clock: `still-chain.js SCALE DELAY_MS`. Its state never changes, so that the answers of
 * all contenders can be compared to the last digit.
 *
 * It shares the machine with the contender, so it uses little CPU: each account is encoded once, and the delay is added here
 * instead of in a proxy.
 */
const [scale = 1, delayMs = 0] = process.argv.slice(2).map(Number);
const stoppedAt = Date.now();
const past = generatePast({ scale, now: () => stoppedAt });
const localChain = createWorldChain({ scale, now: () => stoppedAt }, past);
const encodings = new WeakMap();
const far = new FaultInjector();
far.latencyMs = delayMs;
const near = await startRpcServer(localChain, { encodings });
const slow = await startRpcServer(localChain, { encodings, faults: far });
const { world, addresses } = localChain;
const description: StillChain = {
  url: near.url,
  farUrl: slow.url,
  addresses: { ...addresses },
  size: {
    vaults: world.vaults.length,
    reserves: world.reserves.length,
    markets: world.markets.length,
  },
  wallets: world.wallets
    .filter(({ vaults, obligations }) => vaults.length > 0 && obligations.some(({ exists }) => exists))
    .map(({ address }) => address),
  vaults: world.vaults.map(({ address }) => address),
  markets: world.markets.map(({ address }) => address),
  perSecond: world.reserves.filter(({ spec }) => spec.perSecond === true).map(({ address }) => address),
};

async function startStream() {
  const startedAt = Date.now();
  const now = () => stoppedAt + Date.now() - startedAt;
  const moving = createWorldChain({ scale, now, quiet: true }, past);
  const geyser = await startGeyserServer(moving);
  const rpc = await startRpcServer(moving, { faults: far });
  moving.start();
  return {
    rpc,
    description: { farUrl: rpc.url, geyserUrl: geyser.url } satisfies StreamedWorld,
    async stop() {
      moving.stop();
      await Promise.all([geyser.close(), rpc.close()]);
    },
  };
}

let streamed: Awaited<ReturnType<typeof startStream>> | null = null;

serveParent(description, {
  /** Only while it is measured: it takes processor time. */
  async startStream() {
    streamed = await startStream();
    return streamed.description;
  },
  async stopStream() {
    await streamed?.stop();
    streamed = null;
  },
  /** As `calls`, of the chain with a stream. */
  streamedCalls() {
    const calls = streamed?.rpc.requests.calls() ?? 0;
    streamed?.rpc.requests.reset();
    return calls;
  },
  /** Calls of the slow RPC since the previous request for this count. */
  calls() {
    const calls = slow.requests.calls();
    slow.requests.reset();
    return calls;
  },
});
