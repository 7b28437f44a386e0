import {
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
  signTransaction,
  type Transaction,
} from '@solana/kit';

/** Signs a transaction with local keys, for a server, a bot or a test: the wallet's, and the fee payer's if it is another. */
export async function signWithKey(
  transaction: Transaction,
  ...signers: readonly KeyPairSigner[]
): Promise<Base64EncodedWireTransaction> {
  const signed = await signTransaction(
    signers.map(({ keyPair }) => keyPair),
    transaction,
  );
  return getBase64EncodedWireTransaction(signed);
}

/** Decodes the `transaction` of a response. */
export function decodeTransaction(base64: string): Transaction {
  return getTransactionDecoder().decode(getBase64Encoder().encode(base64));
}

/** Sends a signed transaction. The RPC runs a preflight check first. */
export async function send(rpc: Rpc<SolanaRpcApi>, signed: Base64EncodedWireTransaction): Promise<string> {
  return await rpc.sendTransaction(signed, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
}

/** Waits until a transaction is confirmed. Returns false when its blockhash has expired. */
export async function confirmed(
  rpc: Rpc<SolanaRpcApi>,
  signature: string,
  lastValidBlockHeight: bigint,
  pollMs = 1_000,
): Promise<boolean> {
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature as Signature]).send();
    const [status] = value;
    if (status?.err) throw new Error(`the transaction failed: ${JSON.stringify(status.err)}`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return true;
    if ((await rpc.getBlockHeight({ commitment: 'confirmed' }).send()) > lastValidBlockHeight) return false;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
