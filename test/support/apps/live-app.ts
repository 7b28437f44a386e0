import type { DemoRpcServer } from '../../../src/demo/rpc/server.ts';
import { type Site, serveSite } from '../http/browser.ts';
import { serveLedger, TestLedger } from '../ledger/test-ledger.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

/** A gateway on a real socket over a world whose time the test advances. */
export interface LiveWorld {
  readonly ledger: TestLedger;
  readonly rpc: DemoRpcServer;
  readonly gateway: TestApp;
  readonly site: Site;
  /** Advances the world by some slots and waits until the gateway has a View of the newest. */
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
  const ledger = new TestLedger();
  const rpc = await serveLedger(ledger);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, RATE_LIMIT: '0', ...env } });
  const site = await serveSite(gateway.app.fetch);
  return {
    ledger,
    rpc,
    gateway,
    site,
    async advance(slots = 1) {
      ledger.advance(slots);
      const { status } = await gateway.query('{ chain { slot } }', {
        headers: { ...headers, 'x-min-slot': String(ledger.slot) },
      });
      if (status !== 200) throw new Error(`the gateway did not reach slot ${ledger.slot}`);
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
