import { base58Of } from '@sluice/protocol/layout/base58-text';
import type { Address } from '@solana/kit';
import { AccountOverlay, type AccountReader } from '../account-overlay.ts';
import { Execution } from '../execution.ts';
import { InstructionError } from '../instruction-error.ts';
import type { TransactionFailure, TransactionOutcome } from '../outcome.ts';
import type { Clock, Program } from '../program.ts';
import type { StoredAccount } from '../stored-account.ts';
import { type ComputeBudget, computeBudgetOf } from './compute-budget.ts';
import { chargeFee, feeOf } from './fee-payer.ts';
import { loadedBytes, loadFailure } from './load-accounts.ts';
import { type ParsedTransaction, parseTransaction } from './parse-transaction.ts';
import { Refusal } from './refusal.ts';
import { isRentStateAllowed } from './rent-state.ts';
import { type ResolvedAccounts, resolveAccounts } from './resolve-accounts.ts';
import { type RunTrace, transactionRecord } from './transaction-record.ts';
import { type UsedNonce, usedNonce } from './used-nonce.ts';
import { verifySignatures } from './verify-signatures.ts';

/** The state that a transaction meets. */
export interface TransactionChain {
  readonly accounts: AccountReader;
  readonly clock: Clock;
  readonly programs: ReadonlyMap<Address, Program>;
  /** Whether a transaction may still name the blockhash. */
  isRecentBlockhash(blockhash: string): boolean;
  /** Whether a transaction with this first signature is on the chain. */
  hasSignature(signature: string): boolean;
}

export interface TransactionOptions {
  readonly verifySignatures: boolean;
  /** Taken instead of the transaction's own blockhash, for a simulation. */
  readonly replaceBlockhash?: string;
}

const NOTHING_RAN: RunTrace = { logs: [], inner: [], unitsConsumed: 0, returnData: null };

/** Checks and runs a transaction in wire format. Changes nothing: the outcome says what to commit. */
export function processTransaction(
  wire: Uint8Array,
  chain: TransactionChain,
  options: TransactionOptions,
): TransactionOutcome {
  try {
    const parsed = parseTransaction(wire);
    const resolved = resolveAccounts(parsed.message, chain.accounts, chain.clock.slot);
    if (options.verifySignatures) verifySignatures(parsed);
    const nonce = checkAge(parsed, resolved, chain, options.replaceBlockhash);
    return run(parsed, resolved, nonce, computeBudgetOf(resolved.instructions), chain);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', failure: error.failure };
    throw error;
  }
}

/** The nonce that the transaction uses; null when its blockhash is recent. */
function checkAge(
  { message, signatures: [signature] }: ParsedTransaction,
  { instructions }: ResolvedAccounts,
  chain: TransactionChain,
  replacement: string | undefined,
): UsedNonce | null {
  const isRecent = replacement !== undefined || chain.isRecentBlockhash(message.lifetimeToken);
  const nonce = isRecent ? null : usedNonce(instructions, message.lifetimeToken, chain.accounts);
  if (!isRecent && nonce === null) throw new Refusal('BlockhashNotFound');
  if (chain.hasSignature(base58Of(signature ?? []))) throw new Refusal('AlreadyProcessed');
  return nonce;
}

function run(
  parsed: ParsedTransaction,
  resolved: ResolvedAccounts,
  nonce: UsedNonce | null,
  budget: ComputeBudget,
  { accounts, clock, programs }: TransactionChain,
): TransactionOutcome {
  const fee = feeOf(parsed.signatures.length, budget.priorityFee);
  const charged = new AccountOverlay(accounts);
  const payer = payerOf(resolved);
  charged.set(payer, chargeFee(accounts.get(payer), fee));
  const loadedAccountsDataSize = loadedBytes(resolved, accounts);
  const result = (
    failure: TransactionFailure | null,
    changes: ReadonlyMap<Address, StoredAccount>,
    trace: RunTrace,
  ): TransactionOutcome => {
    const after: AccountReader = { get: (address) => changes.get(address) ?? accounts.get(address) };
    const record = transactionRecord(parsed, resolved, fee, { before: accounts, after }, trace);
    const { returnData } = trace;
    return { kind: 'processed', failure, changes, record, returnData, loadedAccountsDataSize };
  };
  const failed = (failure: TransactionFailure, trace: RunTrace) =>
    result(failure, changesOfFailure(charged, nonce), trace);

  const notLoaded = loadFailure(resolved, accounts, loadedAccountsDataSize, budget.loadedBytesLimit);
  if (notLoaded !== null) return failed(notLoaded, NOTHING_RAN);
  const running = new AccountOverlay(charged);
  const execution = new Execution({
    accounts: running,
    programs,
    clock,
    instructions: resolved.instructions,
    computeUnitLimit: budget.unitLimit,
  });
  const failure = runAll(execution, resolved) ?? checkResult(resolved, charged, running);
  if (failure !== null) return failed(failure, execution);
  return result(null, new Map([...charged.changed, ...running.changed]), execution);
}

function payerOf({ addresses: [payer] }: ResolvedAccounts): Address {
  if (payer === undefined) throw new Refusal('SanitizeFailure');
  return payer;
}

/** The payer's fee, and the nonce: otherwise the transaction could fail, and cost a fee, again and again. */
function changesOfFailure(charged: AccountOverlay, nonce: UsedNonce | null): Map<Address, StoredAccount> {
  const changes = new Map(charged.changed);
  if (nonce !== null) changes.set(nonce.address, { ...charged.get(nonce.address), data: nonce.advanced });
  return changes;
}

function runAll(execution: Execution, { instructions }: ResolvedAccounts): TransactionFailure | null {
  for (const index of instructions.keys()) {
    try {
      execution.run(index);
    } catch (error) {
      if (!(error instanceof InstructionError)) throw error;
      return { InstructionError: [index, error.failure] };
    }
  }
  return null;
}

/** Every changed account must be rent-exempt or empty, and no lamports may appear or vanish. */
function checkResult(
  { addresses, isWritable }: ResolvedAccounts,
  before: AccountOverlay,
  after: AccountOverlay,
): TransactionFailure | null {
  let balance = 0n;
  for (const [index, address] of addresses.entries()) {
    const changed = after.changed.get(address);
    if (changed === undefined) continue;
    balance += changed.lamports - before.get(address).lamports;
    if (isWritable[index] && !isRentStateAllowed(before.get(address), changed)) {
      return { InsufficientFundsForRent: { account_index: index } };
    }
  }
  return balance === 0n ? null : 'UnbalancedTransaction';
}
