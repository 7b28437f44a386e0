import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** An unsigned transaction of the legacy version, as somebody else would build it. */
export const legacyTransaction = (
  feePayer: Address,
  { blockhash, lastValidBlockHeight }: { blockhash: string; lastValidBlockHeight: bigint },
  instructions: readonly Instruction[],
) =>
  getBase64EncodedWireTransaction(
    pipe(
      createTransactionMessage({ version: 'legacy' }),
      (message) => setTransactionMessageFeePayer(feePayer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight },
          message,
        ),
      (message) => appendTransactionMessageInstructions(instructions, message),
      compileTransaction,
    ),
  );
