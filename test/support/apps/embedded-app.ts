import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import type { WorldAddresses } from '@sluice/localnet/world-addresses';
import { type App, type AppHooks, createApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';

/** A gateway with its localnet, as `npm start` runs it, that can answer. */
export interface TestEmbeddedApp {
  readonly app: App;
  readonly addresses: WorldAddresses;
  readonly rpc: LocalnetRpc;
}

/** Generating the chain's history takes longer than most tests; a test that needs it sets RECORDER. */
const USUAL = { VIEW_REFRESH_MS: '600000', LOG_LEVEL: 'silent', RECORDER: 'none', RATE_LIMIT: '0' };

/** The View is not refreshed unless a test sets an interval, so that several answers agree. */
export async function startEmbeddedApp(
  env: Readonly<Record<string, string>> = {},
  hooks: AppHooks = {},
): Promise<TestEmbeddedApp> {
  const app = await createApp(loadConfig({ ...USUAL, ...env }), hooks);
  const { embedded } = app;
  if (embedded === null) throw new Error('an RPC is configured');
  if (app.chain.views.newest === undefined) {
    await new Promise<void>((resolve) => {
      const stop = app.chain.views.onView(() => {
        stop();
        resolve();
      });
    });
  }
  return { app, addresses: embedded.addresses, rpc: embedded.rpc };
}
