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

/** Signs a transaction with a key of your own: a server, a bot, a test. Nobody else's signature is needed. */
export async function signWithKey(
  transaction: Transaction,
  signer: KeyPairSigner,
): Promise<Base64EncodedWireTransaction> {
  const signed = await signTransaction([signer.keyPair], transaction);
  return getBase64EncodedWireTransaction(signed);
}

/** The `transaction` of an answer, decoded. */
export function decodeTransaction(base64: string): Transaction {
  return getTransactionDecoder().decode(getBase64Encoder().encode(base64));
}

/** Sends what has been signed; the cluster checks it once more before it spreads it. */
export async function send(rpc: Rpc<SolanaRpcApi>, signed: Base64EncodedWireTransaction): Promise<string> {
  return await rpc.sendTransaction(signed, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
}

/** Waits until a transaction is confirmed; false when its blockhash has grown too old to be taken any more. */
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
