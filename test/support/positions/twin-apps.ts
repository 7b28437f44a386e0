import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { serveChain, TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../apps/test-app.ts';
import { ScanningSource } from './scanning-source.ts';

/** Two gateways over one chain at the same slot: one reads wallets from the RPC, the other has them in its Views. */
export interface TwinApps {
  readonly chain: TestChain;
  readonly polling: TestApp;
  readonly resident: TestApp;
  readonly source: ScanningSource;
  /** Advances the chain to the next second, announces what has changed, and waits for the Views of both. */
  advance(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTwinApps(env: Readonly<Record<string, string>> = {}): Promise<TwinApps> {
  const chain = new TestChain();
  const rpc = await serveChain(chain);
  const source = new ScanningSource(rpc.url, MAINNET_PROGRAMS);
  const options = { rpcUrls: [rpc.url], env: { ...STILL, ...env } };
  const polling = await startReadyApp(options);
  const resident = await startReadyApp({ ...options, moreSources: [source] });
  const reach = async (app: TestApp) => {
    const { status } = await app.query('{ chain { slot } }', {
      headers: { 'x-min-slot': String(chain.slot) },
    });
    if (status !== 200) throw new Error(`a gateway did not reach slot ${chain.slot}`);
  };
  const { views } = resident.app.chain;
  chain.enterNextSecond();
  await source.load(views.current());
  await Promise.all([polling, resident].map(reach));
  return {
    chain,
    polling,
    resident,
    source,
    async advance() {
      chain.enterNextSecond();
      await source.announce(views.current());
      await Promise.all([polling, resident].map(reach));
    },
    async stop() {
      await Promise.all([polling.stop(), resident.stop()]);
      await rpc.close();
    },
  };
}
