import { meterNodes } from '../../../src/graphql/cost/meter-nodes.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { serveLedger, TestLedger } from '../ledger/test-ledger.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

/** A gateway over a ledger that stands still, so that the same question has the same answer whoever executes it. */
export interface StillApp {
  readonly gateway: TestApp;
  readonly ledger: TestLedger;
  stop(): Promise<void>;
}

/** What changes all the same while one looks: clocks, and how quickly an endpoint answered. */
export const CHANGING = ['ChainStatus.viewAgeMs', 'RpcEndpoint.latencyMs', 'RecorderStatus.lagMs'];

export async function startStillApp(): Promise<StillApp> {
  const ledger = new TestLedger();
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
