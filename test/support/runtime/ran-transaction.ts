import type {
  ConfirmedInstruction,
  ConfirmedTransaction,
} from '../../../src/domain/transactions/confirmed-transaction.ts';
import type { EncodedInstruction } from '../../../src/programs/layout/instruction.ts';
import type { BenchResult } from './program-bench.ts';

/** What a bench ran, in the form in which the ingestion reads transactions. */
export function ranTransaction(
  instructions: readonly EncodedInstruction[],
  { failure, inner }: BenchResult,
): ConfirmedTransaction {
  return {
    signature: 'signature',
    slot: 7n,
    blockTime: 1_000,
    failed: failure !== null,
    accountKeys: [],
    instructions: instructions.map((instruction) => confirmed(instruction, 1)),
    innerInstructions: inner.map((calls, index) => ({
      index,
      instructions: calls.map(({ instruction, stackHeight }) => confirmed(instruction, stackHeight)),
    })),
    preTokenBalances: [],
    postTokenBalances: [],
    preLamports: [],
    postLamports: [],
  };
}

function confirmed(
  { programAddress, accounts, data }: EncodedInstruction,
  stackHeight: number,
): ConfirmedInstruction {
  return { programAddress, accounts: accounts.map(({ address }) => address), data, stackHeight };
}
