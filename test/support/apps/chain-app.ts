import type { LocalChain } from '@sluice/localnet/chain';
import { serveChain } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { startReadyApp, type TestApp } from './test-app.ts';

/** A gateway over a chain of the test, with an RPC server that stops with it. */
export async function startChainApp(
  localChain: LocalChain,
  env: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const rpc = await serveChain(localChain);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env });
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await rpc.close();
    },
  };
}
