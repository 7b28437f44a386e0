import type { DemoAddresses } from '../demo/demo-addresses.ts';
import type { EmbeddedChain } from '../demo/embedded-chain.ts';

const NOTE =
  'The embedded chain exists only inside this process. The secret key is derived from a public seed and worthless: ' +
  'never send anything to this wallet on another cluster.';

/** What a client needs to try the embedded chain. */
export interface DemoPage extends DemoAddresses {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The key of `wallet`: 64 numbers, as in a Solana key file. */
  readonly secretKey: readonly number[];
  readonly note: string;
}

export function demoPage({ addresses, rpc, secretKey }: EmbeddedChain): DemoPage {
  return { ...addresses, rpcUrl: rpc.url, wsUrl: rpc.wsUrl, secretKey: [...secretKey], note: NOTE };
}
