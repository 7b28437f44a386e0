import type { DemoAddresses } from './demo-addresses.ts';
import { demoCatalogue } from './demo-catalogue.ts';
import { type DemoRpcServer, startDemoRpc } from './rpc/server.ts';
import { createDemoLedger, type DemoLedger } from './world/demo-ledger.ts';

export interface EmbeddedChainOptions {
  /** 10 makes the world ten times as large. */
  readonly scale: number;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** A running embedded chain: a world that moves with time, served by a real RPC server on loopback. */
export interface EmbeddedChain {
  readonly rpc: DemoRpcServer;
  readonly ledger: DemoLedger;
  readonly addresses: DemoAddresses;
  /** Off-chain facts about this world, in the format of a catalogue file. */
  readonly catalogue: unknown;
  stop(): Promise<void>;
}

export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  const { scale, port = 0, host = '127.0.0.1', now = Date.now } = options;
  const ledger = createDemoLedger({ scale, now });
  const rpc = await startDemoRpc(ledger, { port, host });
  ledger.start();
  return {
    rpc,
    ledger,
    addresses: ledger.addresses,
    catalogue: demoCatalogue(ledger.world, now()),
    async stop() {
      ledger.stop();
      await rpc.close();
    },
  };
}
