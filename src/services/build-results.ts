import type { Address } from '@solana/kit';
import { type InstructionBundle, instructionBundle } from '../builders/bundle.ts';
import { MAX_COMPUTE_UNITS } from '../builders/compute-budget.ts';
import { fitsInOne, type Lifetime, planTransactions, type UnsignedTransaction } from '../builders/plan.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { WRAPPED_SOL_MINT } from '../programs/program-ids.ts';
import { decodeTokenAccount } from '../programs/token/token-account.ts';
import { type TokenAmount, tokenAmount } from './amounts.ts';
import type { PreparedBuild } from './builds.ts';
import { type ProgramFailure, programFailure } from './program-failure.ts';
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
    error: failed ? programFailure(session.programs, result, transaction.instructions.map(programOf)) : null,
    slot: result.slot,
  };
}

const programOf = ({ programAddress }: UnsignedTransaction['instructions'][number]) => programAddress;

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
export type { ProgramFailure } from './program-failure.ts';
