import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import { meterObjects } from '../../../src/graphql/cost/meter-objects.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';

/** A gateway over a chain that does not advance, so that a query always has the same answer. */
export interface StillApp {
  readonly gateway: TestApp;
  readonly localChain: UnchangedChain;
  stop(): Promise<void>;
}

/** Fields that change even so: clocks and latencies. */
export const CHANGING = ['ChainStatus.viewAgeMs', 'RpcEndpoint.latencyMs', 'RecorderStatus.lagMs'];

export async function startStillApp(): Promise<StillApp> {
  const localChain = unchangedChain();
  const rpc = await serveChain(localChain);
  const gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
  meterObjects(schema);
  return {
    gateway,
    localChain,
    async stop() {
      await gateway.stop();
      await rpc.close();
    },
  };
}
