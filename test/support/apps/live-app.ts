import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { type Site, serveSite } from '../http/browser.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

/** A gateway on a real socket over a world whose time the test advances. */
export interface LiveWorld {
  readonly localChain: TestChain;
  readonly rpc: LocalnetRpc;
  readonly gateway: TestApp;
  readonly site: Site;
  /**
   * Advances the world by some slots, by default to the next second, in which every debt grows, and waits until the gateway
   * has a View of the newest.
   */
  advance(slots?: number): Promise<void>;
  /** A metric, summed over its labels. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** @param headers sent with the requests of `advance`, for a gateway that requires a key */
export async function startLiveWorld(
  env: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<LiveWorld> {
  const localChain = new TestChain();
  const rpc = await serveChain(localChain);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, RATE_LIMIT: '0', ...env } });
  const site = await serveSite(gateway.app.fetch);
  return {
    localChain,
    rpc,
    gateway,
    site,
    async advance(slots) {
      if (slots === undefined) localChain.enterNextSecond();
      else localChain.advance(slots);
      const { status } = await gateway.query('{ chain { slot } }', {
        headers: { ...headers, 'x-min-slot': String(localChain.slot) },
      });
      if (status !== 200) throw new Error(`the gateway did not reach slot ${localChain.slot}`);
    },
    async metric(name) {
      const text = await (await gateway.get('/metrics')).text();
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async stop() {
      await site.close();
      await gateway.stop();
      await rpc.close();
    },
  };
}
