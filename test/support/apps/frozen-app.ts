import { meterNodes } from '../../../src/graphql/cost/meter-nodes.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { serveLedger, type UnchangedLedger, unchangedLedger } from '../ledger/test-ledger.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

/** A gateway over a ledger that does not advance, so that a query always has the same answer. */
export interface StillApp {
  readonly gateway: TestApp;
  readonly ledger: UnchangedLedger;
  stop(): Promise<void>;
}

/** Fields that change even so: clocks and latencies. */
export const CHANGING = ['ChainStatus.viewAgeMs', 'RpcEndpoint.latencyMs', 'RecorderStatus.lagMs'];

export async function startStillApp(): Promise<StillApp> {
  const ledger = unchangedLedger();
  const rpc = await serveLedger(ledger);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
  meterNodes(schema);
  return {
    gateway,
    ledger,
    async stop() {
      await gateway.stop();
      await rpc.close();
    },
  };
}
