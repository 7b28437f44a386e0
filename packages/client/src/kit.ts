import {
  assertIsTransactionWithinSizeLimit,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionLifetimeConstraintFromCompiledTransactionMessage,
  type TransactionPartialSigner,
} from '@solana/kit';
import type { TransactionSigner } from './signers.ts';

/**
 * Signs with a signer of `@solana/kit`, for example a key pair on a server or in a test.
 *
 * @example
 * const signer = kitSigner(await generateKeyPairSigner());
 */
export function kitSigner(signer: TransactionPartialSigner): TransactionSigner {
  return {
    address: signer.address,
    async signTransactions(transactions) {
      const unsigned = await Promise.all(transactions.map(decoded));
      const signatures = await signer.signTransactions(unsigned);
      return unsigned.map((transaction, index) =>
        getBase64EncodedWireTransaction({
          ...transaction,
          signatures: { ...transaction.signatures, ...signatures[index] },
        }),
      );
    },
  };
}

async function decoded(base64: string) {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const lifetimeConstraint = await getTransactionLifetimeConstraintFromCompiledTransactionMessage(message);
  const complete = { ...transaction, lifetimeConstraint };
  assertIsTransactionWithinSizeLimit(complete);
  return complete;
}
