import type { Ledger } from '../../../src/demo/ledger.ts';
import { serveLedger } from '../ledger/test-ledger.ts';
import { startReadyApp, type TestApp } from './test-app.ts';

/** A gateway over a ledger of the test, with an RPC server that stops with it. */
export async function startLedgerApp(
  ledger: Ledger,
  env: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const rpc = await serveLedger(ledger);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env });
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await rpc.close();
    },
  };
}
