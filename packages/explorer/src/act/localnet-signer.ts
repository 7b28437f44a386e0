import type { TransactionSigner } from '@sluice/client';
import { kitSigner } from '@sluice/client/kit';
import { createKeyPairSignerFromBytes } from '@solana/kit';

/** Signs in the page. Loaded only for the localnet wallet: kit is larger than the rest of the page. */
export async function localnetSigner(secretKey: readonly number[]): Promise<TransactionSigner> {
  return kitSigner(await createKeyPairSignerFromBytes(new Uint8Array(secretKey)));
}
