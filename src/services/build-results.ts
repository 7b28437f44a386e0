import type { Address } from '@solana/kit';
import { type InstructionBundle, instructionBundle } from '../builders/bundle.ts';
import { MAX_COMPUTE_UNITS } from '../builders/compute-budget.ts';
import { fitsInOne, type Lifetime, planTransactions, type UnsignedTransaction } from '../builders/plan.ts';
import { failedProgram, programError } from '../builders/program-errors.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { WRAPPED_SOL_MINT } from '../programs/program-ids.ts';
import { decodeTokenAccount } from '../programs/token/token-account.ts';
import { type TokenAmount, tokenAmount } from './amounts.ts';
import type { PreparedBuild } from './builds.ts';
import type { Session } from './records.ts';
import { balanceDenomination } from './vaults.ts';

/** Placeholder for size checks and simulation: the size does not depend on the blockhash. */
const ANY_BLOCKHASH: Lifetime = { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 0n };

/** Instructions and tables in the format of the REST contract. */
export function bundleOf({ build, tables }: PreparedBuild): InstructionBundle {
  return instructionBundle(build.action.instructions, tables);
}

/** Throws when the action does not fit, even with lookup tables and a separate set-up transaction. */
export function checkSize(prepared: PreparedBuild): void {
  if (!fitsInOne(parts(prepared))) plan(prepared, ANY_BLOCKHASH);
}

/** The compiled transactions, with a fresh blockhash. */
export async function transactionsOf(
  session: Session,
  prepared: PreparedBuild,
): Promise<UnsignedTransaction[]> {
  return plan(prepared, await session.latestBlockhash());
}

function plan(prepared: PreparedBuild, lifetime: Lifetime): UnsignedTransaction[] {
  return planTransactions({ ...parts(prepared), lifetime });
}

function parts({ build, wallet, tables, options }: PreparedBuild) {
  return { ...options, feePayer: wallet, instructions: build.action.instructions, tables };
}

/** A program's or the runtime's error. */
export interface ProgramFailure {
  /** Null when the transaction failed before any instruction ran. */
  readonly instructionIndex: number | null;
  /** The program that failed, also when another one called it. Null when none ran. */
  readonly programAddress: Address | null;
  /** The program's custom error code; null for a runtime error. */
  readonly code: number | null;
  /** Null for an unknown code. */
  readonly name: string | null;
  /** Meaning, and what to do about it. */
  readonly message: string;
}

export interface BalanceChange {
  readonly before: TokenAmount;
  readonly after: TokenAmount;
  readonly change: TokenAmount;
}

export interface Simulation {
  readonly success: boolean;
  readonly unitsConsumed: number | null;
  /** Units consumed plus 20 %, capped at the maximum; null when nothing was consumed. */
  readonly suggestedUnitLimit: number | null;
  readonly logs: readonly string[];
  readonly balanceChanges: readonly BalanceChange[];
  readonly error: ProgramFailure | null;
  readonly slot: bigint;
}

/**
 * Simulates the action on the configured RPC with the maximum compute limit. With a separate set-up transaction, only
 * that one is simulated: the action depends on its result.
 */
export async function simulateBuild(session: Session, prepared: PreparedBuild): Promise<Simulation> {
  const atCeiling = { ...prepared, options: { ...prepared.options, computeUnitLimit: MAX_COMPUTE_UNITS } };
  const [transaction] = plan(atCeiling, ANY_BLOCKHASH);
  if (transaction === undefined) throw new RangeError('a plan has at least one transaction');
  const watched = [prepared.wallet, ...prepared.walletTokens.map(({ address }) => address)];
  const result = await session.simulate(transaction.base64, watched);
  const failed = result.error !== null && result.error !== undefined;
  const units = result.unitsConsumed === null ? null : Number(result.unitsConsumed);
  return {
    success: !failed,
    unitsConsumed: units,
    suggestedUnitLimit:
      units === null || units === 0 ? null : Math.min(MAX_COMPUTE_UNITS, Math.ceil(units * 1.2)),
    logs: result.logs,
    balanceChanges: failed ? [] : balanceChanges(session, prepared, result.accounts),
    error: failed ? failureOf(session, result, transaction) : null,
    slot: result.slot,
  };
}

type After = Awaited<ReturnType<Session['simulate']>>['accounts'];

function balanceChanges({ view }: Session, prepared: PreparedBuild, after: After): BalanceChange[] {
  const changed = (mint: Address, decimals: number, before: bigint, now: bigint): BalanceChange[] => {
    const amount = (baseUnits: bigint) =>
      tokenAmount(view, balanceDenomination(view, mint, decimals), baseUnits);
    return before === now
      ? []
      : [{ before: amount(before), after: amount(now), change: amount(now - before) }];
  };
  const [wallet, ...tokens] = after;
  return [
    ...changed(WRAPPED_SOL_MINT, 9, prepared.walletLamports, wallet?.lamports ?? 0n),
    ...prepared.walletTokens.flatMap(({ mint, decimals, before }, i) =>
      changed(mint, decimals, before, tokenBalance(tokens[i] ?? null)),
    ),
  ];
}

/** 0 for an account that would be closed, or was never a token account. */
function tokenBalance(account: After[number]): bigint {
  if (account === null) return 0n;
  try {
    return decodeTokenAccount(account).amount;
  } catch (error) {
    if (isSluiceError(error)) return 0n;
    throw error;
  }
}

/** Parses the RPC's error: `{InstructionError: [index, {Custom: code} | name]}`, or a runtime error (string or object). */
function failureOf(
  { programs }: Session,
  { error, logs }: Awaited<ReturnType<Session['simulate']>>,
  { instructions }: UnsignedTransaction,
): ProgramFailure {
  const detail = (error as { InstructionError?: readonly [number | bigint, unknown] }).InstructionError;
  if (!Array.isArray(detail)) {
    const name = typeof error === 'string' ? error : (Object.keys(error as object)[0] ?? null);
    const message = `The transaction failed before it ran: ${name ?? 'no reason given'}.`;
    return { instructionIndex: null, programAddress: null, code: null, name, message };
  }
  const instructionIndex = Number(detail[0]);
  // A program called by the instruction may have failed; the code is then that program's.
  const programAddress = failedProgram(logs) ?? instructions[instructionIndex]?.programAddress ?? null;
  const custom = (detail[1] as { Custom?: number | bigint } | null)?.Custom;
  if (custom === undefined || programAddress === null) {
    const name = typeof detail[1] === 'string' ? detail[1] : JSON.stringify(detail[1]);
    return { instructionIndex, programAddress, code: null, name, message: `The runtime failed: ${name}.` };
  }
  const { name, advice } = programError(programs, programAddress, Number(custom));
  return { instructionIndex, programAddress, code: Number(custom), name, message: advice };
}

/** Types of a result, for GraphQL and REST. */
export type { BuiltInstruction } from '../builders/built-instruction.ts';
export {
  type BundleAccount,
  bundleInstruction,
  type InstructionBundle,
  lutsByAddress,
} from '../builders/bundle.ts';
export type { UnsignedTransaction } from '../builders/plan.ts';
export type { Change, Preview, PreviewFee } from '../builders/preview.ts';
export type { BuildWarning } from '../builders/warnings.ts';
