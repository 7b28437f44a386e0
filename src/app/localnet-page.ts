import type { Localnet } from '@sluice/localnet/localnet';
import type { WorldAddresses } from '@sluice/localnet/world-addresses';

/** The second is the path of version 0.4, accepted in the release after it. */
export const LOCALNET_PATHS = ['/localnet.json', '/demo.json'];

const NOTE =
  'The localnet exists only inside this process. The secret key is derived from a public seed and worthless: ' +
  'never send anything to this wallet on another cluster.';

/** Addresses and settings with which a client tries the localnet. */
export interface LocalnetPage extends WorldAddresses {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** The key of `wallet`: 64 numbers, as in a Solana key file. */
  readonly secretKey: readonly number[];
  readonly note: string;
}

export function localnetPage({ addresses, rpc, secretKey }: Localnet): LocalnetPage {
  return { ...addresses, rpcUrl: rpc.url, wsUrl: rpc.wsUrl, secretKey: [...secretKey], note: NOTE };
}
