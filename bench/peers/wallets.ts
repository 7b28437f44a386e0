import { spreadOf } from '../statistics.ts';
import { askGraph } from './ask-graph.ts';
import { mustAgree, portfolioFacts } from './facts.ts';
import { SDK_TOLERANCE } from './plan.ts';
import { startGateway, Worker } from './processes.ts';
import { nested, type PortfolioAnswer, portfolio } from './queries.ts';
import type { SdkPlatformOrder, SdkWalletOrder } from './sdk-worker.ts';
import type { World } from './world.ts';

export interface WalletRow {
  readonly name: string;
  readonly wallets: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rpcCalls: number;
}

/** Wallets whose answers are compared before anything is measured. */
const COMPARED = 5;

interface Ask {
  readonly name: string;
  readonly wallets: readonly string[];
  readonly ask: (wallet: string) => Promise<unknown>;
}

/** Reads each wallet once, in sequence. */
async function measure(world: World, { name, wallets, ask }: Ask): Promise<WalletRow> {
  await world.farCalls();
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
    rpcCalls: (await world.farCalls()) / times.length,
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
    return [
      await measure(world, { name: 'Sluice', wallets: distinct.slice(0, plan.wallets.ours), ask: ours }),
      await measure(world, {
        name: 'official SDK, vaults and markets cached',
        wallets: distinct.slice(0, plan.wallets.cached),
        ask: theirs(null),
      }),
      await measure(world, {
        name: 'official SDK, read again',
        wallets: distinct.slice(0, plan.wallets.fresh),
        ask: theirs(platform),
      }),
    ];
  } finally {
    await Promise.all([gateway.stop(), sdk.stop()]);
  }
}
