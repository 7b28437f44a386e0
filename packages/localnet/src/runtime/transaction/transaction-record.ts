import { base58Of } from '@sluice/protocol/layout/base58-text';
import type { Address } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import type { ChainTransaction } from '../chain-transaction.ts';
import type { InnerInstruction, ReturnData } from '../execution.ts';
import type { ProcessedTransaction } from '../outcome.ts';
import { limitLogs } from './log-limit.ts';
import type { ParsedTransaction } from './parse-transaction.ts';
import type { ResolvedAccounts } from './resolve-accounts.ts';
import { tokenBalances } from './token-balances.ts';

/** Results of a run besides the accounts. */
export interface RunTrace {
  readonly logs: readonly string[];
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly unitsConsumed: number;
  readonly returnData: ReturnData | null;
}

/** Record of a transaction on the chain. */
export function transactionRecord(
  { wire, signatures: [signature] }: ParsedTransaction,
  { addresses, loadedWritable, loadedReadonly }: ResolvedAccounts,
  feeLamports: bigint,
  { before, after }: { readonly before: AccountReader; readonly after: AccountReader },
  { logs, inner, unitsConsumed }: RunTrace,
): ProcessedTransaction['record'] {
  return {
    signature: base58Of(signature ?? []),
    wire,
    addresses,
    loadedWritable,
    loadedReadonly,
    feeLamports,
    computeUnits: unitsConsumed,
    preBalances: balancesOf(addresses, before),
    postBalances: balancesOf(addresses, after),
    preTokenBalances: tokenBalances(addresses, before),
    postTokenBalances: tokenBalances(addresses, after),
    inner: compiledInner(inner, addresses),
    logs: limitLogs(logs),
  };
}

function balancesOf(addresses: readonly Address[], accounts: AccountReader): bigint[] {
  return addresses.map((address) => accounts.get(address)?.lamports ?? 0n);
}

function compiledInner(inner: RunTrace['inner'], addresses: readonly Address[]): ChainTransaction['inner'] {
  const indexOf = new Map(addresses.map((address, i) => [address, i]));
  const at = (address: Address) => {
    const index = indexOf.get(address);
    if (index === undefined) throw new RangeError(`The transaction does not name ${address}`);
    return index;
  };
  return inner.flatMap((instructions, index) =>
    instructions.length === 0
      ? []
      : {
          index,
          instructions: instructions.map(({ instruction, stackHeight }) => ({
            programIdIndex: at(instruction.programAddress),
            accounts: instruction.accounts.map(({ address }) => at(address)),
            data: instruction.data,
            stackHeight,
          })),
        },
  );
}
