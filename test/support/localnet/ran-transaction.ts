import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type {
  ConfirmedInstruction,
  ConfirmedTransaction,
} from '@sluice/protocol/transactions/confirmed-transaction';
import type { BenchResult } from '../../../packages/localnet/test/support/runtime/program-bench.ts';

/** Transaction that a bench ran, in the form in which the ingestion reads it. */
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
