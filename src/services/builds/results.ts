import type { Address } from '@solana/kit';
import type { WalletTokenAccount } from '../../builders/action.ts';
import type { BuiltInstruction } from '../../builders/built-instruction.ts';
import { type PlannedTransaction, planGroups } from '../../builders/plan/groups.ts';
import { type Lifetime, overflowOf, type UnsignedTransaction } from '../../builders/plan/plan.ts';
import { type InstructionBundle, instructionBundle } from '../../builders/transaction/bundle.ts';
import { type ComputeOptions, MAX_COMPUTE_UNITS } from '../../builders/transaction/compute-budget.ts';
import { namesPosition, withPosition } from '../../builders/transaction/instruction-positions.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { Session } from '../request/session.ts';
import { type ProgramFailure, programFailure } from '../sending/program-failure.ts';
import { type BalanceChange, balanceChanges } from './balance-changes.ts';
import type { PreparedBuild } from './builds.ts';
import { assumedCompute } from './priority-fees.ts';
import { type StepUnits, stepUnits } from './step-units.ts';

/** For size checks and simulation: the size does not depend on the blockhash, and an RPC replaces it. */
const ANY_BLOCKHASH: Lifetime = { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 0n };

/** Instructions and tables in the format of the REST contract. */
export function bundleOf(prepared: PreparedBuild): InstructionBundle {
  return instructionBundle(instructionsOf(prepared), prepared.tables);
}

/**
 * All instructions except the compute budget, which depends on what else the caller puts into the transaction. A position
 * that an instruction names is the one in its transaction of the plan, not in the whole bundle.
 */
export function instructionsOf(prepared: PreparedBuild): BuiltInstruction[] {
  const { groups, frame } = prepared;
  return groups.flatMap((group, index) => {
    const opening = index === 0 ? frame.opening : [];
    const closing = index === groups.length - 1 ? frame.closing : [];
    const all = [...opening, ...group.instructions, ...closing];
    if (!all.some(namesPosition)) return all;
    const compute = assumedCompute(prepared.options);
    const fits =
      overflowOf({ ...parts(prepared, compute), instructions: group.instructions, closing }) === null;
    // Set-up that does not fit runs in a transaction before.
    const transaction = fits ? all : all.filter(({ setup }) => !setup);
    return all.map((each) => withPosition(each, transaction));
  });
}

/** Throws when the action does not fit, even with lookup tables and a separate set-up transaction. */
export function checkSize(prepared: PreparedBuild): void {
  const compute = assumedCompute(prepared.options);
  const fits = prepared.groups.length === 1 && overflowOf(parts(prepared, compute)) === null;
  if (!fits) plan(prepared, compute, lifetimeOf(prepared) ?? ANY_BLOCKHASH);
}

/** The compiled transactions, with a fresh blockhash or the durable nonce. */
export const transactionsOf = oncePerBuild(
  async (session: Session, prepared: PreparedBuild): Promise<PlannedTransaction[]> => {
    const [compute, lifetime] = await Promise.all([
      prepared.compute(),
      lifetimeOf(prepared) ?? session.latestBlockhash(),
    ]);
    await session.work.giveWay();
    return plan(prepared, compute, lifetime);
  },
);

/** Computes once for each build, under however many names a query selects it. A build belongs to one request. */
function oncePerBuild<T>(compute: (session: Session, prepared: PreparedBuild) => Promise<T>): typeof compute {
  const known = new WeakMap<PreparedBuild, Promise<T>>();
  return (session, prepared) => {
    const result = known.get(prepared) ?? compute(session, prepared);
    known.set(prepared, result);
    return result;
  };
}

/** Null when the transactions take a recent blockhash. */
function lifetimeOf({ nonce }: PreparedBuild): Lifetime | null {
  return nonce === null ? null : { blockhash: nonce, lastValidBlockHeight: null };
}

function plan(prepared: PreparedBuild, compute: ComputeOptions, lifetime: Lifetime): PlannedTransaction[] {
  return planGroups(prepared, { ...parts(prepared, compute), lifetime });
}

function parts({ instructions, frame, tables }: PreparedBuild, compute: ComputeOptions) {
  const { feePayer, opening, closing } = frame;
  return { ...compute, feePayer, opening, instructions, closing, tables };
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
  /** Compute units of the steps that ran in the simulated transaction. */
  readonly stepUnits: readonly StepUnits[];
}

/**
 * Simulates the first transaction on the configured RPC with the maximum compute limit where it fits. Of several transactions only that
 * one is simulated: the others depend on its result.
 */
export const simulateBuild = oncePerBuild(async (session, prepared): Promise<Simulation> => {
  const compute = await prepared.compute();
  const [transaction] = planAtCeiling(prepared, compute, lifetimeOf(prepared) ?? ANY_BLOCKHASH);
  if (transaction === undefined) throw new RangeError('a plan has at least one transaction');
  const tokens = walletTokensOf(prepared);
  const watched = [prepared.wallet, ...tokens.map(({ address }) => address)];
  const result = await session.simulate(transaction.base64, watched);
  const failed = result.error !== null && result.error !== undefined;
  const units = result.unitsConsumed === null ? null : Number(result.unitsConsumed);
  return {
    success: !failed,
    unitsConsumed: units,
    suggestedUnitLimit: suggestedUnitLimit(units),
    logs: result.logs,
    balanceChanges: failed
      ? []
      : balanceChanges(session.view, prepared.walletLamports, tokens, result.accounts),
    error: failed ? programFailure(session.programs, result, transaction.instructions.map(programOf)) : null,
    slot: result.slot,
    stepUnits: stepUnits(transaction, result.logs),
  };
});

/** Null when no units were used. */
export function suggestedUnitLimit(units: number | null): number | null {
  return units === null || units === 0 ? null : Math.min(MAX_COMPUTE_UNITS, Math.ceil(units * 1.2));
}

/** With the maximum limit, unless there is no room for its instruction: then with the limit of the build. */
function planAtCeiling(
  prepared: PreparedBuild,
  compute: ComputeOptions,
  lifetime: Lifetime,
): PlannedTransaction[] {
  const own = plan(prepared, compute, lifetime);
  try {
    const atCeiling = plan(prepared, { ...compute, computeUnitLimit: MAX_COMPUTE_UNITS }, lifetime);
    return atCeiling.length > own.length ? own : atCeiling;
  } catch (error) {
    if (isCodedError(error)) return own;
    throw error;
  }
}

/** Token accounts of the wallet that any step affects, as they are before the first that does. */
function walletTokensOf({ steps }: PreparedBuild): WalletTokenAccount[] {
  const found = new Map<Address, WalletTokenAccount>();
  for (const token of steps.flatMap(({ walletTokens }) => walletTokens)) {
    if (!found.has(token.address)) found.set(token.address, token);
  }
  return [...found.values()];
}

const programOf = ({ programAddress }: UnsignedTransaction['instructions'][number]) => programAddress;

/** Types of a result, for GraphQL and REST. */
export type { BuiltInstruction } from '../../builders/built-instruction.ts';
export type { DebtTermFigures } from '../../builders/debt-term-figures.ts';
export type { PlannedTransaction } from '../../builders/plan/groups.ts';
export { stepSummary } from '../../builders/plan/step-summary.ts';
export type {
  BorrowOrderFigures,
  Change,
  LiquidationFigures,
  OrderFigures,
  OwnershipFigures,
  Preview,
  PreviewAllocation,
  PreviewAmount,
  PreviewFee,
  PreviewPosition,
  PreviewReferralFee,
  PreviewReward,
  PreviewSetting,
  QueueFigures,
  QuoteFigures,
  ReferrerFigures,
  RolloverFigures,
  VaultFigures,
  WorstCase,
} from '../../builders/preview.ts';
export {
  type BundleAccount,
  bundleInstruction,
  type InstructionBundle,
  lutsByAddress,
} from '../../builders/transaction/bundle.ts';
export type { BuildWarning } from '../../builders/warnings.ts';
export type { ProgramFailure } from '../sending/program-failure.ts';
export type { BalanceChange } from './balance-changes.ts';
export type { StepUnits } from './step-units.ts';
