import type { Address } from '@solana/kit';
import type { SimulationOptions } from '../chain.ts';
import type { ReturnData } from '../runtime/execution.ts';
import type { TransactionOutcome } from '../runtime/outcome.ts';
import type { Call } from './call.ts';
import { encodeInner } from './encode-transaction.ts';
import { failureText } from './failure-text.ts';
import { foreign, type Json } from './json.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/** Failures that a node finds before it runs anything, and answers with an error instead of a result. */
const INVALID: ReadonlySet<unknown> = new Set([
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidAddressLookupTableOwner',
  'SanitizeFailure',
  'UnsupportedVersion',
]);

/** Runs a transaction without effect. Throws for one that a node would not run at all. */
export function simulated(call: Call, wire: Uint8Array, options: SimulationOptions): TransactionOutcome {
  const outcome = call.chain.simulate(wire, options);
  rejectInvalid(outcome);
  return outcome;
}

/** Throws for a transaction that is malformed or not signed by its signers. */
export function rejectInvalid({ kind, failure }: TransactionOutcome): void {
  if (kind === 'processed') return;
  if (failure === 'SignatureFailure') {
    throw new RpcError(RPC_CODES.signatureVerificationFailure, 'Transaction signature verification failure');
  }
  if (INVALID.has(failure)) throw invalidParams(`invalid transaction: ${failureText(failure)}`);
}

/** The result of a simulation, without the accounts. */
export function encodeOutcome(
  outcome: TransactionOutcome,
  withInner = false,
): { readonly [key: string]: Json } {
  const ran = outcome.kind === 'processed';
  return {
    accounts: null,
    err: foreign(outcome.failure),
    innerInstructions:
      ran && withInner ? encodeInner(outcome.record.inner, 'jsonParsed', outcome.record.addresses) : null,
    loadedAccountsDataSize: ran ? outcome.loadedAccountsDataSize : 0,
    logs: ran ? outcome.record.logs : [],
    replacementBlockhash: null,
    returnData: ran ? encodeReturnData(outcome.returnData) : null,
    unitsConsumed: ran ? outcome.record.computeUnits : 0,
  };
}

function encodeReturnData(returned: ReturnData | null): Json {
  return (
    returned && {
      data: [Buffer.from(returned.data).toString('base64'), 'base64'],
      programId: returned.program,
    }
  );
}

/** The account after the transaction; undefined for one that does not exist. */
export function accountAfter(call: Call, outcome: TransactionOutcome, address: Address) {
  const changed = outcome.kind === 'processed' ? outcome.changes.get(address) : undefined;
  if (changed === undefined) return call.chain.account(address);
  return changed.lamports === 0n ? undefined : changed;
}
