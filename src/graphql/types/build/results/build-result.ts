import { isCodedError } from '../../../../errors/sluice-error.ts';
import { ACTION_KINDS } from '../../../../services/builds/actions.ts';
import type { PreparedBuild } from '../../../../services/builds/builds.ts';
import {
  checkSize,
  type PlannedTransaction,
  simulateBuild,
  stepSummary,
  transactionsOf,
} from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { SimulationRef } from '../../sending/simulation.ts';
import { BuildErrorRef, REFUSAL_REFS, type Refusal, refusalOf, type TooLarge } from './build-errors.ts';
import { InstructionBundleRef } from './bundle.ts';
import { BuildWarningRef, PreviewRef } from './preview.ts';

const TableUseRef = builder.objectRef<PlannedTransaction['tablesUsed'][number]>('LookupTableUse').implement({
  description: 'A lookup table that a transaction uses.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the table.' }),
    bytesSaved: t.exposeInt('bytesSaved', { description: 'Number of bytes that the table saves.' }),
  }),
});

const SplitReasonRef = builder.enumType('SplitReason', {
  description: 'Why a plan needs several transactions.',
  values: {
    SIZE: { description: 'One transaction would be larger than the network accepts.' },
    ACCOUNTS: { description: 'One transaction would use more accounts than the network accepts.' },
    FLASH_LOANS: {
      description: 'One transaction would take two flash loans, which the lending program refuses.',
    },
    ALONE: {
      description:
        'A step of the transfer of an obligation shares a transaction with nothing but the compute budget.',
    },
  } as const,
});

const UnsignedTransactionRef = builder.objectRef<PlannedTransaction>('UnsignedTransaction').implement({
  description: 'A compiled version 0 transaction that only needs the signatures of `signers`.',
  fields: (t) => ({
    base64: t.expose('base64', {
      type: 'Base64',
      description: 'The transaction in wire format, with zeros in place of the signatures.',
    }),
    signers: t.expose('signers', {
      type: ['Address'],
      description:
        'The accounts that must sign, in the order of the signatures: the fee payer, then the wallet when it is another, and the address of a vault that is created.',
    }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Size in bytes.' }),
    sizeLimit: t.exposeInt('sizeLimit', { description: 'Maximum size that the network accepts, in bytes.' }),
    bytesSavedByTables: t.exposeInt('bytesSavedByTables', {
      description: 'Number of bytes that lookup tables save.',
    }),
    tablesUsed: t.field({
      type: ['Address'],
      description: 'Lookup tables that the transaction uses.',
      resolve: ({ tablesUsed }) => tablesUsed.map(({ address }) => address),
    }),
    tableUses: t.expose('tablesUsed', {
      type: [TableUseRef],
      description: 'The same tables, with the bytes that each saves.',
    }),
    blockhash: t.exposeString('blockhash', {
      description: 'The recent blockhash of the transaction, or its durable nonce.',
    }),
    lastValidBlockHeight: t.expose('lastValidBlockHeight', {
      type: 'U64',
      nullable: true,
      description:
        'Last block height at which the transaction is valid. Null with a durable nonce, which does not expire.',
    }),
    priorityFeeMicroLamports: t.expose('priorityFeeMicroLamports', {
      type: 'U64',
      nullable: true,
      description:
        'Price of a compute unit that the transaction sets, in micro-lamports: the explicit one, or the one chosen by level. Null when it sets none.',
    }),
    steps: t.intList({
      description: 'Indexes of the steps of the plan in this transaction.',
      resolve: ({ steps }) => [...steps],
    }),
    setupOnly: t.exposeBoolean('setupOnly', {
      description: 'Whether the transaction only prepares accounts for the next one.',
    }),
    splitReason: t.expose('split', {
      type: SplitReasonRef,
      nullable: true,
      description:
        'Why the transaction is separate from the one before it: the limit that a single transaction would exceed. Null for the first.',
    }),
  }),
});

export const ActionKindRef = builder.enumType('ActionKind', {
  description: 'The kind of an action.',
  values: Object.fromEntries(
    Object.entries(ACTION_KINDS).map(([kind, description]) => [kind, { description }]),
  ),
});

/** A step, and the index of its place in the plan. */
interface PlanStep {
  readonly prepared: PreparedBuild;
  readonly index: number;
}

const stepOf = ({ prepared, index }: PlanStep) => {
  const step = prepared.steps[index];
  if (step === undefined) throw new RangeError('the plan has no such step');
  return step;
};

const PlanStepRef = builder.objectRef<PlanStep>('PlanStep').implement({
  description: 'One action of a plan.',
  fields: (t) => ({
    kind: t.field({ type: ActionKindRef, description: 'The action.', resolve: (step) => stepOf(step).kind }),
    summary: t.string({
      description: 'Effect of the step, in words.',
      resolve: (step) => stepSummary(stepOf(step)),
    }),
    transaction: t.int({
      description:
        'Index of its group of steps: steps with the same index are in one transaction, in the order of `transactions`. The first of its groups for a claim that is divided among several transactions; `steps` of the transactions lists all.',
      resolve: ({ prepared, index }) => prepared.groups.findIndex(({ steps }) => steps.includes(index)),
    }),
    preview: t.field({
      type: PreviewRef,
      description: 'Effect of the step, on the state that the steps before it leave.',
      resolve: (step) => stepOf(step).preview(),
    }),
    warnings: t.field({
      type: [BuildWarningRef],
      description: 'Warnings of the step.',
      resolve: (step) => [...stepOf(step).preview().warnings],
    }),
  }),
});

interface Plan {
  readonly kind: 'TransactionPlan';
  readonly prepared: PreparedBuild;
}

const TransactionPlanRef = builder.objectRef<Plan>('TransactionPlan').implement({
  description:
    'Unsigned transactions for a wallet to sign, with a preview and a simulation. Send them with `sendTransaction` once they are signed; the gateway never signs.',
  isTypeOf: (value) => (value as Partial<Plan>).kind === 'TransactionPlan',
  fields: (t) => ({
    bundle: t.expose('prepared', {
      type: InstructionBundleRef,
      description: 'Instructions and lookup tables. The values are the same as in the REST response.',
    }),
    transactions: t.field({
      type: [UnsignedTransactionRef],
      description:
        'The transactions to sign, in order. One where everything fits; otherwise several, of which each must be confirmed before the next is sent. Selecting this field fetches a blockhash.',
      resolve: ({ prepared }, _args, { session }) => transactionsOf(session, prepared),
    }),
    preview: t.field({
      type: PreviewRef,
      nullable: true,
      description:
        'Effect of the whole plan. Each figure goes from before the first step to after the last one that affects it; a figure that the steps give for different positions is null here and is in `steps`.',
      resolve: ({ prepared }) => prepared.preview(),
    }),
    steps: t.field({
      type: [PlanStepRef],
      description: 'The actions of the plan, in order; one for the builder of a single action.',
      resolve: ({ prepared }) => prepared.steps.map((_, index) => ({ prepared, index })),
    }),
    simulation: t.field({
      type: SimulationRef,
      nullable: true,
      description:
        'Simulation on the cluster. It runs only when this field is selected. Null, with an error, when it cannot run.',
      resolve: ({ prepared }, _args, { session }) => simulateBuild(session, prepared),
    }),
    warnings: t.field({
      type: [BuildWarningRef],
      description: 'Warnings of all steps, to show before signing.',
      resolve: ({ prepared }) => [...prepared.preview().warnings],
    }),
  }),
});

const TransactionTooLargeRef = builder.objectRef<TooLarge>('TransactionTooLarge').implement({
  description:
    'The action does not fit into a transaction, even with its lookup tables and with set-up in a separate transaction. `bundle` still has its instructions.',
  interfaces: [BuildErrorRef],
  isTypeOf: (value) => (value as Partial<TooLarge>).kind === 'TransactionTooLarge',
  fields: (t) => ({
    sizeBytes: t.int({
      description: 'Size of the transaction that does not fit, in bytes.',
      resolve: ({ error }) => error.context.sizeBytes,
    }),
    sizeLimit: t.int({
      description: 'Maximum size that the network accepts, in bytes.',
      resolve: ({ error }) => error.context.sizeLimit,
    }),
    accounts: t.int({
      description: 'Number of accounts that the transaction uses, including those in lookup tables.',
      resolve: ({ error }) => error.context.accounts,
    }),
    accountLimit: t.int({
      description: 'Maximum number of accounts that a transaction may use.',
      resolve: ({ error }) => error.context.accountLimit,
    }),
    bundle: t.expose('prepared', {
      type: InstructionBundleRef,
      description: 'Instructions and lookup tables of the action.',
    }),
  }),
});

export const BuildResultRef = builder.unionType('BuildResult', {
  description:
    'Result of a builder: a plan, or the error that prevented it. Use `__typename` to tell them apart.',
  types: [TransactionPlanRef, TransactionTooLargeRef, ...REFUSAL_REFS],
});

/** A plan, or the refusal as a member of the union. Internal and upstream faults are thrown. */
export async function planned(prepare: () => Promise<PreparedBuild>): Promise<Plan | TooLarge | Refusal> {
  let prepared: PreparedBuild;
  try {
    prepared = await prepare();
  } catch (error) {
    return refusalOf(error);
  }
  try {
    checkSize(prepared);
    return { kind: 'TransactionPlan', prepared };
  } catch (error) {
    if (isCodedError(error, 'TRANSACTION_SIZE_ERROR'))
      return { kind: 'TransactionTooLarge', error, prepared };
    return refusalOf(error);
  }
}
