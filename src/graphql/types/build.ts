import { isSluiceError } from '../../errors/sluice-error.ts';
import {
  checkSize,
  simulateBuild,
  transactionsOf,
  type UnsignedTransaction,
} from '../../services/build-results.ts';
import {
  type PreparedBuild,
  prepareLending,
  prepareVaultDeposit,
  prepareVaultWithdraw,
} from '../../services/builds.ts';
import { builder } from '../builder.ts';
import { BuildErrorRef, REFUSAL_REFS, type Refusal, refusalOf, type TooLarge } from './build-errors.ts';
import {
  BuildActionRef,
  LendingActionInputRef,
  lendingRequest,
  VaultDepositInputRef,
  VaultWithdrawInputRef,
  vaultDepositRequest,
  vaultWithdrawRequest,
} from './build-inputs.ts';
import { InstructionBundleRef } from './bundle.ts';
import { BuildWarningRef, PreviewRef } from './preview.ts';
import { SimulationRef } from './simulation.ts';

const TableUseRef = builder.objectRef<UnsignedTransaction['tablesUsed'][number]>('LookupTableUse').implement({
  description: 'What a lookup table does for a transaction.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the table.' }),
    bytesSaved: t.exposeInt('bytesSaved', {
      nullable: false,
      description: 'Bytes that the transaction is smaller for it.',
    }),
  }),
});

const UnsignedTransactionRef = builder.objectRef<UnsignedTransaction>('UnsignedTransaction').implement({
  description: 'A compiled version-0 transaction that lacks only the wallet\u2019s signature.',
  fields: (t) => ({
    base64: t.field({
      type: 'Base64',
      nullable: false,
      description: 'Wire format with zeros in place of the signature.',
      resolve: ({ base64 }) => base64,
    }),
    sizeBytes: t.exposeInt('sizeBytes', { nullable: false, description: 'Its size.' }),
    sizeLimit: t.exposeInt('sizeLimit', { nullable: false, description: 'The most that the network takes.' }),
    bytesSavedByTables: t.exposeInt('bytesSavedByTables', {
      nullable: false,
      description: 'What lookup tables save.',
    }),
    tablesUsed: t.field({
      type: ['Address'],
      nullable: false,
      description: 'Lookup tables that it uses.',
      resolve: ({ tablesUsed }) => tablesUsed.map(({ address }) => address),
    }),
    tableUses: t.field({
      type: [TableUseRef],
      nullable: false,
      description: 'The same tables with what each saves.',
      resolve: ({ tablesUsed }) => [...tablesUsed],
    }),
    blockhash: t.exposeString('blockhash', { nullable: false, description: 'The recent blockhash in it.' }),
    lastValidBlockHeight: t.expose('lastValidBlockHeight', {
      type: 'U64',
      nullable: true,
      description: 'The last block height at which it can land.',
    }),
  }),
});

interface Plan {
  readonly kind: 'TransactionPlan';
  readonly prepared: PreparedBuild;
}

const TransactionPlanRef = builder.objectRef<Plan>('TransactionPlan').implement({
  description: 'What a wallet would sign, and what it would do. Nothing is signed or sent here.',
  isTypeOf: (value) => (value as Partial<Plan>).kind === 'TransactionPlan',
  fields: (t) => ({
    bundle: t.field({
      type: InstructionBundleRef,
      nullable: false,
      description: 'Instructions and lookup tables. Value for value the REST body.',
      resolve: ({ prepared }) => prepared,
    }),
    transactions: t.field({
      type: [UnsignedTransactionRef],
      nullable: false,
      description: 'One; two when set-up does not fit in with the rest. Asking for it fetches a blockhash.',
      resolve: ({ prepared }, _args, { session }) => transactionsOf(session, prepared),
    }),
    preview: t.field({
      type: PreviewRef,
      nullable: true,
      description: 'What it would do to the position.',
      resolve: ({ prepared }) => prepared.preview(),
    }),
    simulation: t.field({
      type: SimulationRef,
      nullable: true,
      description:
        'What the cluster says would happen. Runs only when asked for; null, with an error, when it cannot be run.',
      resolve: ({ prepared }, _args, { session }) => simulateBuild(session, prepared),
    }),
    warnings: t.field({
      type: [BuildWarningRef],
      nullable: false,
      description: 'What to know before signing.',
      resolve: ({ prepared }) => [...prepared.preview().warnings],
    }),
  }),
});

const TransactionTooLargeRef = builder.objectRef<TooLarge>('TransactionTooLarge').implement({
  description:
    'The action fits in no transaction, not even with its tables and with set-up ahead. Its instructions are here all the same.',
  interfaces: [BuildErrorRef],
  isTypeOf: (value) => (value as Partial<TooLarge>).kind === 'TransactionTooLarge',
  fields: (t) => ({
    sizeBytes: t.int({
      nullable: false,
      description: 'Size of what does not fit.',
      resolve: ({ error }) => error.context.sizeBytes,
    }),
    sizeLimit: t.int({
      nullable: false,
      description: 'The most that the network takes.',
      resolve: ({ error }) => error.context.sizeLimit,
    }),
    accounts: t.int({
      nullable: false,
      description: 'How many accounts it names, in its tables or by themselves.',
      resolve: ({ error }) => error.context.accounts,
    }),
    accountLimit: t.int({
      nullable: false,
      description: 'How many one transaction may name.',
      resolve: ({ error }) => error.context.accountLimit,
    }),
    bundle: t.field({
      type: InstructionBundleRef,
      nullable: false,
      description: 'The instructions.',
      resolve: ({ prepared }) => prepared,
    }),
  }),
});

const BuildResultRef = builder.unionType('BuildResult', {
  description: 'What a builder answers: a plan, or why there is none. A typed client must look which.',
  types: [TransactionPlanRef, TransactionTooLargeRef, ...REFUSAL_REFS],
});

const PreviewResultRef = builder.unionType('PreviewResult', {
  description: 'A preview, or why there is none.',
  types: [PreviewRef, ...REFUSAL_REFS],
});

/** A plan, or the refusal that stands in its place. A fault of ours or upstream stays an error. */
async function planned(prepare: () => Promise<PreparedBuild>): Promise<Plan | TooLarge | Refusal> {
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
    if (isSluiceError(error, 'TRANSACTION_SIZE_ERROR'))
      return { kind: 'TransactionTooLarge', error, prepared };
    return refusalOf(error);
  }
}

builder.mutationType({
  description:
    'Builders: unsigned transactions for a wallet to sign. Nothing is signed or sent here, and nothing changes.',
});

const LENDING = {
  buildLendingDeposit: ['deposit', 'Supply a token to a reserve.'],
  buildLendingBorrow: ['borrow', 'Borrow a token from a reserve.'],
  buildLendingRepay: ['repay', 'Repay a debt to a reserve.'],
  buildLendingWithdraw: ['withdraw', 'Take a deposit out of a reserve.'],
} as const;

for (const [name, [action, description]] of Object.entries(LENDING)) {
  builder.mutationField(name, (t) =>
    t.field({
      type: BuildResultRef,
      nullable: false,
      description,
      args: {
        input: t.arg({
          type: LendingActionInputRef,
          required: true,
          description: 'Who, where and how much.',
        }),
      },
      resolve: (_root, { input }, { session }) =>
        planned(async () => await prepareLending(session, lendingRequest(action, input))),
    }),
  );
}

builder.mutationFields((t) => ({
  buildVaultDeposit: t.field({
    type: BuildResultRef,
    nullable: false,
    description: 'Deposit into a vault; its shares are staked when it has a farm.',
    args: {
      input: t.arg({ type: VaultDepositInputRef, required: true, description: 'Who, where and how much.' }),
    },
    resolve: (_root, { input }, { session }) =>
      planned(async () => await prepareVaultDeposit(session, vaultDepositRequest(input))),
  }),
  buildVaultWithdraw: t.field({
    type: BuildResultRef,
    nullable: false,
    description: 'Withdraw from a vault; shares are unstaked as far as that is needed.',
    args: {
      input: t.arg({ type: VaultWithdrawInputRef, required: true, description: 'Who, where and how much.' }),
    },
    resolve: (_root, { input }, { session }) =>
      planned(async () => await prepareVaultWithdraw(session, vaultWithdrawRequest(input))),
  }),
}));

builder.queryField('preview', (t) =>
  t.field({
    type: PreviewResultRef,
    nullable: false,
    description: 'What an action would do to the position; nothing is built.',
    args: { action: t.arg({ type: BuildActionRef, required: true, description: 'The action.' }) },
    resolve: async (_root, { action }, { session }) => {
      const { lendingDeposit, lendingBorrow, lendingRepay, lendingWithdraw, vaultDeposit, vaultWithdraw } =
        action;
      try {
        if (vaultDeposit)
          return (await prepareVaultDeposit(session, vaultDepositRequest(vaultDeposit))).preview();
        if (vaultWithdraw)
          return (await prepareVaultWithdraw(session, vaultWithdrawRequest(vaultWithdraw))).preview();
        const lending = {
          deposit: lendingDeposit,
          borrow: lendingBorrow,
          repay: lendingRepay,
          withdraw: lendingWithdraw,
        };
        for (const [kind, input] of Object.entries(lending)) {
          if (!input) continue;
          const request = lendingRequest(kind as keyof typeof lending, input);
          return (await prepareLending(session, request)).preview();
        }
      } catch (error) {
        return refusalOf(error);
      }
      throw new RangeError('the action names nothing');
    },
  }),
);
