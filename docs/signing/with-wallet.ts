import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit';

/** An account that the user has connected to the page. */
export interface WalletAccount {
  readonly address: string;
}

/**
 * The `solana:signTransaction` feature of the Wallet Standard, which every current wallet has. A wallet adapter takes
 * the same bytes: `wallet.signTransaction(VersionedTransaction.deserialize(bytes))`.
 */
export interface SignTransactionFeature<Account extends WalletAccount> {
  signTransaction(
    ...inputs: readonly {
      readonly account: Account;
      readonly chain?: string;
      readonly transaction: Uint8Array;
    }[]
  ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
}

/** Asks the user's wallet to sign. The wallet shows the transaction and may add instructions to it. */
export async function signWithWallet<Account extends WalletAccount>(
  transaction: Transaction,
  account: Account,
  feature: SignTransactionFeature<Account>,
  chain = 'solana:mainnet',
): Promise<Base64EncodedWireTransaction> {
  const bytes = new Uint8Array(getTransactionEncoder().encode(transaction));
  const [output] = await feature.signTransaction({ account, chain, transaction: bytes });
  if (output === undefined) throw new Error('the wallet did not sign');
  const signed = getTransactionDecoder().decode(output.signedTransaction);
  if (!Object.values(signed.signatures).every((signature) => signature !== null)) {
    throw new Error('a signature is missing');
  }
  return getBase64EncodedWireTransaction(signed);
}
