import type { Address } from '@solana/kit';
import { type Action, type BuiltStep, once } from '../../builders/action.ts';
import type { BuiltInstruction } from '../../builders/built-instruction.ts';
import { checkCompanions, checkPlan } from '../../builders/plan/checks.ts';
import { overflowOf } from '../../builders/plan/plan.ts';
import { planPreview } from '../../builders/plan/preview.ts';
import { type FoldOptions, foldSteps } from '../../builders/plan/step-fold.ts';
import { groupSteps, type StepGroup } from '../../builders/plan/step-groups.ts';
import type { Preview } from '../../builders/preview.ts';
import { distinct } from '../../builders/read-accounts.ts';
import type { ComputeOptions } from '../../builders/transaction/compute-budget.ts';
import {
  type FrameOptions,
  type TransactionFrame,
  transactionFrame,
} from '../../builders/transaction/frame.ts';
import { type UsableTable, usableTables } from '../../builders/transaction/lookup-tables.ts';
import { checkPriority, type PriorityOptions } from '../../builders/transaction/priority-fee.ts';
import { type BuildWarning, refuseOnError } from '../../builders/warnings.ts';
import type { BuildSource } from './build-source.ts';
import { assumedCompute, computeOptions } from './priority-fees.ts';
import { readForBuild } from './reads.ts';

/** Options of the transactions of a build. */
export interface BuildOptions extends PriorityOptions, FrameOptions {
  /** Throw instead of warning when the program would reject the action. */
  readonly strict?: boolean;
  /** Candidate lookup tables besides the known ones. */
  readonly lookupTables?: readonly Address[];
}

/** A finished build, with the inputs for transactions, preview and simulation. */
export interface PreparedBuild {
  readonly steps: readonly BuiltStep[];
  /** The steps of each transaction, in order. */
  readonly groups: readonly StepGroup[];
  /** Whether errors name the step that they come from. */
  readonly isPlan: boolean;
  /** Instructions of all steps, in order. */
  readonly instructions: readonly BuiltInstruction[];
  /** Preview of all steps together. */
  readonly preview: () => Preview;
  readonly wallet: Address;
  readonly frame: TransactionFrame;
  /** Null when the transactions take a recent blockhash. */
  readonly nonce: string | null;
  /** Limit and price of compute units. A price by level is read on first call. */
  readonly compute: () => Promise<ComputeOptions>;
  readonly tables: readonly UsableTable[];
  readonly options: BuildOptions;
  /** Lamports of the wallet before the action. */
  readonly walletLamports: bigint;
}

/** Reads the accounts of an action and builds it. */
export function prepare(
  source: BuildSource,
  action: Action,
  options: BuildOptions = {},
): Promise<PreparedBuild> {
  return prepareSteps(source, action, [action], options, { strict: options.strict === true, isPlan: false });
}

/** Terms of a plan that the gateway puts together. */
export interface PlanTerms {
  /** Warnings of the plan as a whole. */
  readonly notes?: readonly BuildWarning[];
  /** By default six. */
  readonly mostSteps?: number;
}

/**
 * Builds up to six actions of one wallet in order, each on the accounts as those before it leave them. Errors name the step.
 * A warning of level ERROR refuses the plan unless `strict` is false.
 */
export async function preparePlan(
  source: BuildSource,
  actions: readonly Action[],
  options: BuildOptions = {},
  { notes = [], mostSteps }: PlanTerms = {},
): Promise<PreparedBuild> {
  const first = checkPlan(actions, mostSteps);
  const fold = { strict: options.strict !== false, isPlan: true };
  const prepared = await prepareSteps(source, first, actions, options, fold);
  return { ...prepared, preview: once(() => withWarnings(prepared.preview(), notes)) };
}

async function prepareSteps(
  source: BuildSource,
  { wallet }: Action,
  actions: readonly Action[],
  options: BuildOptions,
  fold: FoldOptions,
): Promise<PreparedBuild> {
  const { session } = source;
  const lookupTables = options.lookupTables ?? [];
  checkPriority(options);
  const frame = transactionFrame(options, wallet);
  const { feePayer, opening, closing } = frame;
  const reads = {
    named: [...actions.flatMap(({ named }) => named), ...lookupTables, ...frame.reads],
    expected: actions.flatMap(({ expected }) => expected),
  };
  const { folded, read, slot } = await readForBuild(session, reads, ({ read, isRead, slot, moment }) => {
    const attempt = foldSteps(actions, read, isRead, { slot, moment, payer: feePayer }, fold);
    return 'needs' in attempt ? attempt : { built: { folded: attempt.built, read, slot } };
  });
  for (const { built } of folded) if (built.references) source.remember(built.references);
  await session.work.giveWay();
  checkCompanions(
    folded.flatMap((step) => step.instructions),
    options,
  );
  if (fold.strict) refuseOnError(frame.warningsOf(read));
  const tables = distinctTables([
    ...folded.flatMap(({ built }) => built.tables),
    ...usableTables(lookupTables, read, slot),
  ]);
  const compute = assumedCompute(options);
  const { steps, groups } = groupSteps(folded, (instructions) =>
    overflowOf({ ...compute, feePayer, opening, instructions, closing, tables }),
  );
  const built = steps.map((step) => step.built);
  const instructions = groups.flatMap((group) => group.instructions);
  return {
    steps: built,
    groups,
    isPlan: fold.isPlan,
    instructions,
    preview: once(() => withWarnings(planPreview(built), frame.warningsOf(read))),
    wallet,
    frame,
    nonce: frame.nonceOf(read),
    compute: once(() => computeOptions(session, options, [...instructions, ...closing])),
    tables,
    options,
    walletLamports: read(wallet)?.lamports ?? 0n,
  };
}

function withWarnings(preview: Preview, more: readonly BuildWarning[]): Preview {
  return more.length === 0 ? preview : { ...preview, warnings: [...preview.warnings, ...more] };
}

function distinctTables(tables: readonly UsableTable[]): UsableTable[] {
  const byAddress = new Map(tables.map((table) => [table.address, table]));
  return distinct(tables.map(({ address }) => address)).flatMap((address) => byAddress.get(address) ?? []);
}

/** Input types of a build, for GraphQL and REST. */
export type { Action } from '../../builders/action.ts';
export type { AmountInput } from '../../builders/amount.ts';
export { type ObligationChoice, obligationKey } from '../../builders/lending/obligation-choice.ts';
export type { ShareAmountInput } from '../../builders/vault/share-amount.ts';
