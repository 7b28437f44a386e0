import type { LocalChain } from '@sluice/localnet/chain';
import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import {
  serveChain,
  TestChain,
  type UnchangedChain,
  unchangedChain,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import type { Logger } from '../../../src/telemetry/logger.ts';
import { type Site, serveSite } from '../http/browser.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

interface ChainAppOptions {
  /** Views are read only when a request asks for their slot. */
  readonly frozen?: boolean;
  /** Settings as the environment gives them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing is logged without one. */
  readonly logger?: Logger;
}

interface LiveAppOptions extends Omit<ChainAppOptions, 'frozen'> {
  readonly live: true;
  /** Sent with the requests of `advance`, for a gateway that requires a key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A gateway over a chain of the test, with an RPC server that stops with it. */
export interface ChainApp<C> extends TestApp {
  readonly localChain: C;
  readonly rpc: LocalnetRpc;
}

/** The same on a real socket, over a frozen world whose time the test advances. */
export interface LiveApp extends ChainApp<TestChain> {
  readonly site: Site;
  /**
   * Advances the world by some slots, by default to the next second, in which every debt grows, and waits until the gateway
   * has a View of the newest.
   */
  advance(slots?: number): Promise<void>;
  /** A metric, summed over its labels. */
  metric(name: string): Promise<number>;
}

/** A gateway over the shared chain that does not change, over a chain of the test, or live. */
export function testApp(options: LiveAppOptions): Promise<LiveApp>;
export function testApp<C extends LocalChain>(
  options: ChainAppOptions & { readonly chain: C },
): Promise<ChainApp<C>>;
export function testApp(options?: ChainAppOptions): Promise<ChainApp<UnchangedChain>>;
export function testApp(
  options: LiveAppOptions | (ChainAppOptions & { readonly chain?: LocalChain }) = {},
): Promise<ChainApp<LocalChain>> {
  if ('live' in options) return liveApp(options);
  return appOver(options.chain ?? unchangedChain(), options);
}

async function appOver<C extends LocalChain>(
  localChain: C,
  { frozen = false, env = {}, ...rest }: ChainAppOptions,
): Promise<ChainApp<C>> {
  const rpc = await serveChain(localChain);
  const gateway = await startReadyApp({
    rpcUrls: [rpc.url],
    env: { ...(frozen ? STILL : {}), ...env },
    ...rest,
  });
  return {
    ...gateway,
    localChain,
    rpc,
    async stop() {
      await gateway.stop();
      await rpc.close();
    },
  };
}

async function liveApp({ live: _, headers = {}, ...options }: LiveAppOptions): Promise<LiveApp> {
  const app = await appOver(new TestChain(), { ...options, frozen: true });
  const { localChain } = app;
  const site = await serveSite(app.app.fetch);
  return {
    ...app,
    site,
    async advance(slots) {
      if (slots === undefined) localChain.enterNextSecond();
      else localChain.advance(slots);
      const { status } = await app.query('{ chain { slot } }', {
        headers: { ...headers, 'x-min-slot': String(localChain.slot) },
      });
      if (status !== 200) throw new Error(`the gateway did not reach slot ${localChain.slot}`);
    },
    async metric(name) {
      const text = await (await app.get('/metrics')).text();
      const lines = text
        .split('\n')
        .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async stop() {
      await site.close();
      await app.stop();
    },
  };
}
