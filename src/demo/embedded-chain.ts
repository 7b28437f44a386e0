import type { DemoAddresses } from './demo-addresses.ts';
import { demoCatalogue } from './demo-catalogue.ts';
import { exampleTransaction } from './example-transaction.ts';
import type { ChainControl } from './rpc/chain-control.ts';
import { type DemoRpcServer, startDemoRpc } from './rpc/server.ts';
import { createDemoLedger, type DemoLedger } from './world/demo-ledger.ts';
import { demoWalletKey } from './world/demo-wallet.ts';
import { SLOT_MS } from './world/time.ts';

export interface EmbeddedChainOptions {
  /** 10 makes the world ten times as large. */
  readonly scale: number;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface ControlledChainOptions extends Omit<EmbeddedChainOptions, 'now'> {
  /** Another seed gives another world, with other addresses. */
  readonly seed: string;
  /** Time moves only on request, and by one slot after each transaction; nobody acts but the clients. */
  readonly frozen: boolean;
}

/** A running embedded chain: a world that moves with time, served by a real RPC server on loopback. */
export interface EmbeddedChain {
  readonly rpc: DemoRpcServer;
  readonly ledger: DemoLedger;
  readonly addresses: DemoAddresses;
  /** 64 bytes: the key of `addresses.wallet`. Worthless, because it is derived from the world's seed. */
  readonly secretKey: Uint8Array;
  /** An unsigned transaction in base64, for examples. */
  readonly exampleTransaction: string;
  /** Off-chain facts about this world, in the format of a catalogue file. */
  readonly catalogue: unknown;
  stop(): Promise<void>;
}

export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  const { scale, port = 0, host = '127.0.0.1', now = Date.now } = options;
  const ledger = createDemoLedger({ scale, now });
  return await serve(ledger, now(), await startDemoRpc(ledger, { port, host }));
}

/** A chain for tests: its clients set prices, advance time and reset it. */
export async function startControlledChain(options: ControlledChainOptions): Promise<EmbeddedChain> {
  const { scale, seed, frozen, port = 0, host = '127.0.0.1' } = options;
  const startedAt = Date.now();
  let advancedMs = 0;
  const now = () => (frozen ? startedAt : Date.now()) + advancedMs;
  const ledger = createDemoLedger({ scale, seed, now, quiet: frozen });
  const advance = (ms: number) => {
    advancedMs += ms;
    ledger.tick();
  };
  const control: ChainControl = {
    setPrice(token, priceSf) {
      const isSet = ledger.setPrice(token, priceSf);
      if (isSet && frozen) advance(SLOT_MS);
      return isSet;
    },
    advance: (seconds) => advance(seconds * 1_000),
    reset() {
      ledger.reset();
      advance(SLOT_MS);
    },
  };
  // Readers notice a change by its slot.
  if (frozen) ledger.onTransaction(() => advance(SLOT_MS));
  return await serve(ledger, now(), await startDemoRpc(ledger, { port, host, control }));
}

async function serve(ledger: DemoLedger, startedAt: number, rpc: DemoRpcServer): Promise<EmbeddedChain> {
  ledger.start();
  return {
    rpc,
    ledger,
    addresses: ledger.addresses,
    secretKey: demoWalletKey(ledger.world.seed).secretKey,
    exampleTransaction: exampleTransaction(ledger),
    catalogue: demoCatalogue(ledger.world, startedAt),
    async stop() {
      ledger.stop();
      await rpc.close();
    },
  };
}
