import type { TransactionSigner } from '@sluice/client';
import { kitSigner } from '@sluice/client/kit';
import { generateKeyPairSigner, getBase64Encoder, getTransactionDecoder } from '@solana/kit';

/** A new key pair, whose address becomes that of a vault. The vault program needs its signature once. */
export interface VaultKey {
  readonly address: string;
  /** Has the key sign after the wallet, which may change a transaction before it signs. */
  cosigned(wallet: TransactionSigner): TransactionSigner;
}

/** The key never leaves the page. Loaded only when a vault is created: kit is larger than the rest of the page. */
export async function newVaultKey(): Promise<VaultKey> {
  const key = await generateKeyPairSigner();
  const keySigner = kitSigner(key);
  const isSigner = (base64: string): boolean =>
    key.address in getTransactionDecoder().decode(getBase64Encoder().encode(base64)).signatures;
  return {
    address: key.address,
    cosigned: (wallet) => ({
      address: wallet.address,
      async signTransactions(transactions) {
        const signed = await wallet.signTransactions(transactions);
        return await Promise.all(
          signed.map(async (each) => {
            if (!isSigner(each)) return each;
            const [both = each] = await keySigner.signTransactions([each]);
            return both;
          }),
        );
      },
    }),
  };
}
