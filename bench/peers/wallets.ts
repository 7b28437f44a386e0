import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOf } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { mustAgree, portfolioFacts } from './facts.ts';
import { SDK_TOLERANCE } from './plan.ts';
import { startGateway, Worker } from './processes.ts';
import { nested, type PortfolioAnswer, portfolio } from './queries.ts';
import { OURS, SDK, STREAMED } from './results.ts';
import type { SdkPlatformOrder, SdkWalletOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface WalletRow {
  readonly name: string;
  readonly wallets: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rpcCalls: number;
}

const POLL_MS = 100;
const READY_MS = 300_000;
/** Wallets whose answers are compared before anything is measured. */
const COMPARED = 5;

interface Ask {
  readonly name: string;
  readonly wallets: readonly string[];
  readonly ask: (wallet: string) => Promise<unknown>;
  /** Calls of the RPC since the previous call. */
  readonly calls: () => Promise<number>;
}

/** Reads each wallet once, in sequence. */
async function measure({ name, wallets, ask, calls }: Ask): Promise<WalletRow> {
  await calls();
  const times: number[] = [];
  for (const wallet of wallets) {
    const started = performance.now();
    await ask(wallet);
    times.push(performance.now() - started);
  }
  const { p50, p99 } = spreadOf(times);
  return {
    name,
    wallets: times.length,
    p50Ms: p50,
    p99Ms: p99,
    rpcCalls: (await calls()) / times.length,
  };
}

/** First read of a portfolio over the slow RPC. */
export async function wallets(world: World): Promise<WalletRow[]> {
  const { chain, plan } = world;
  const gateway = await startGateway(chain.farUrl);
  const sdk = new Worker('peers/sdk-worker');
  try {
    await sdk.greeting;
    const platform: SdkPlatformOrder = { url: chain.farUrl, vaults: chain.vaults, markets: chain.markets };
    await sdk.ask('load', platform);
    await askGraph(gateway.url, nested('same', 0));
    const ours = (wallet: string) => askGraph<PortfolioAnswer>(gateway.url, portfolio(wallet));
    const theirs = (again: SdkPlatformOrder | null) => (wallet: string) =>
      sdk.ask<[string, string][]>('wallet', { wallet, again } satisfies SdkWalletOrder);
    // Compares a few answers, which also warms up both sides.
    for (const wallet of chain.wallets.slice(0, COMPARED)) {
      const facts = new Map(await theirs(null)(wallet));
      mustAgree('the SDK', portfolioFacts(await ours(wallet)), facts, { tolerance: SDK_TOLERANCE, share: 1 });
    }
    const distinct = chain.wallets.slice(COMPARED);
    const calls = () => world.farCalls();
    return [
      await streamedWallets(world, distinct.slice(0, plan.wallets.ours), ours),
      await measure({ name: OURS, wallets: distinct.slice(0, plan.wallets.ours), ask: ours, calls }),
      await measure({
        name: `${SDK}, vaults and markets cached`,
        wallets: distinct.slice(0, plan.wallets.cached),
        ask: theirs(null),
        calls,
      }),
      await measure({
        name: `${SDK}, read again`,
        wallets: distinct.slice(0, plan.wallets.fresh),
        ask: theirs(platform),
        calls,
      }),
    ];
  } finally {
    await Promise.all([gateway.stop(), sdk.stop()]);
  }
}

/** First reads by a gateway that follows a stream. Its answers are first compared with those of the one that polls. */
async function streamedWallets(
  { chain, withStream }: World,
  distinct: readonly string[],
  polling: (wallet: string) => Promise<PortfolioAnswer>,
): Promise<WalletRow> {
  return await withStream(async ({ farUrl, geyserUrl }, calls) => {
    const gateway = await startGateway(farUrl, { GEYSER_URLS: geyserUrl });
    try {
      await untilStreaming(gateway.url);
      const ask = (wallet: string) => askGraph<PortfolioAnswer>(gateway.url, portfolio(wallet));
      for (const wallet of chain.wallets.slice(0, COMPARED))
        mustAgree('the stream', portfolioFacts(await polling(wallet)), portfolioFacts(await ask(wallet)), {
          tolerance: SDK_TOLERANCE,
          share: 1,
        });
      return await measure({ name: STREAMED, wallets: distinct, ask, calls });
    } finally {
      await gateway.stop();
    }
  });
}

/** Until the positions of all wallets are in its Views. */
async function untilStreaming(url: string): Promise<void> {
  const ready = new URL('/ready', url);
  for (const until = performance.now() + READY_MS; performance.now() < until; await sleep(POLL_MS)) {
    const { stream } = (await (await fetch(ready)).json()) as { stream: { status: string } | null };
    if (stream?.status === 'streaming') return;
  }
  throw new Error(`the gateway did not follow the stream within ${READY_MS / 1_000} s`);
}
