import type { LocalChain, SimulationOptions } from '../../../src/chain.ts';
import type { TransactionOutcome } from '../../../src/runtime/outcome.ts';
import { PROGRAMS } from '../../../src/runtime/programs.ts';
import { processTransaction } from '../../../src/runtime/transaction/process-transaction.ts';

/** Runs a transaction on the accounts of any chain, without effect. */
export function runOnChain(
  localChain: Pick<
    LocalChain,
    'account' | 'slot' | 'blockTime' | 'blockhash' | 'isBlockhashValid' | 'transaction'
  >,
  wire: Uint8Array,
  { verifySignatures, replaceBlockhash }: SimulationOptions,
): TransactionOutcome {
  const { slot } = localChain;
  const chain = {
    accounts: { get: localChain.account.bind(localChain) },
    clock: { slot, unixTimestamp: BigInt(Math.floor(localChain.blockTime(slot) ?? 0)) },
    programs: PROGRAMS,
    isRecentBlockhash: (blockhash: string) => localChain.isBlockhashValid(blockhash),
    hasSignature: (signature: string) => localChain.transaction(signature) !== undefined,
  };
  const { blockhash } = localChain.blockhash();
  return processTransaction(wire, chain, {
    verifySignatures,
    ...(replaceBlockhash && { replaceBlockhash: blockhash }),
  });
}
