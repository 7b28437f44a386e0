import type { Ledger, SimulationOptions } from '../../../src/demo/ledger.ts';
import type { TransactionOutcome } from '../../../src/demo/runtime/outcome.ts';
import { PROGRAMS } from '../../../src/demo/runtime/programs.ts';
import { processTransaction } from '../../../src/demo/runtime/transaction/process-transaction.ts';

/** Runs a transaction on the accounts of any ledger, without effect. */
export function runOnLedger(
  ledger: Pick<Ledger, 'account' | 'slot' | 'blockTime' | 'blockhash' | 'isBlockhashValid' | 'transaction'>,
  wire: Uint8Array,
  { verifySignatures, replaceBlockhash }: SimulationOptions,
): TransactionOutcome {
  const { slot } = ledger;
  const chain = {
    accounts: { get: ledger.account.bind(ledger) },
    clock: { slot, unixTimestamp: BigInt(Math.floor(ledger.blockTime(slot) ?? 0)) },
    programs: PROGRAMS,
    isRecentBlockhash: (blockhash: string) => ledger.isBlockhashValid(blockhash),
    hasSignature: (signature: string) => ledger.transaction(signature) !== undefined,
  };
  const { blockhash } = ledger.blockhash();
  return processTransaction(wire, chain, {
    verifySignatures,
    ...(replaceBlockhash && { replaceBlockhash: blockhash }),
  });
}
