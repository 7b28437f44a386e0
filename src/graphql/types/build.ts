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
  description: 'A lookup table that a transaction uses.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the table.' }),
    bytesSaved: t.exposeInt('bytesSaved', {
      nullable: false,
      description: 'Number of bytes that the table saves.',
    }),
  }),
});

const UnsignedTransactionRef = builder.objectRef<UnsignedTransaction>('UnsignedTransaction').implement({
  description: 'A compiled version 0 transaction that only needs the wallet\u2019s signature.',
  fields: (t) => ({
    base64: t.field({
      type: 'Base64',
      nullable: false,
      description: 'The transaction in wire format, with zeros in place of the signature.',
      resolve: ({ base64 }) => base64,
    }),
    sizeBytes: t.exposeInt('sizeBytes', { nullable: false, description: 'Size in bytes.' }),
    sizeLimit: t.exposeInt('sizeLimit', {
      nullable: false,
      description: 'Maximum size that the network accepts, in bytes.',
    }),
    bytesSavedByTables: t.exposeInt('bytesSavedByTables', {
      nullable: false,
      description: 'Number of bytes that lookup tables save.',
    }),
    tablesUsed: t.field({
      type: ['Address'],
      nullable: false,
      description: 'Lookup tables that the transaction uses.',
      resolve: ({ tablesUsed }) => tablesUsed.map(({ address }) => address),
    }),
    tableUses: t.field({
      type: [TableUseRef],
      nullable: false,
      description: 'The same tables, with the bytes that each saves.',
      resolve: ({ tablesUsed }) => [...tablesUsed],
    }),
    blockhash: t.exposeString('blockhash', {
      nullable: false,
      description: 'The recent blockhash of the transaction.',
    }),
    lastValidBlockHeight: t.expose('lastValidBlockHeight', {
      type: 'U64',
      nullable: true,
      description: 'Last block height at which the transaction is valid.',
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
    bundle: t.field({
      type: InstructionBundleRef,
      nullable: false,
      description: 'Instructions and lookup tables. The values are the same as in the REST response.',
      resolve: ({ prepared }) => prepared,
    }),
    transactions: t.field({
      type: [UnsignedTransactionRef],
      nullable: false,
      description:
        'The transactions to sign, in order: one, or two when the set-up instructions need a separate transaction. Selecting this field fetches a blockhash.',
      resolve: ({ prepared }, _args, { session }) => transactionsOf(session, prepared),
    }),
    preview: t.field({
      type: PreviewRef,
      nullable: true,
      description: 'Effect on the position.',
      resolve: ({ prepared }) => prepared.preview(),
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
      nullable: false,
      description: 'Warnings to show before signing.',
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
      nullable: false,
      description: 'Size of the transaction that does not fit, in bytes.',
      resolve: ({ error }) => error.context.sizeBytes,
    }),
    sizeLimit: t.int({
      nullable: false,
      description: 'Maximum size that the network accepts, in bytes.',
      resolve: ({ error }) => error.context.sizeLimit,
    }),
    accounts: t.int({
      nullable: false,
      description: 'Number of accounts that the transaction uses, including those in lookup tables.',
      resolve: ({ error }) => error.context.accounts,
    }),
    accountLimit: t.int({
      nullable: false,
      description: 'Maximum number of accounts that a transaction may use.',
      resolve: ({ error }) => error.context.accountLimit,
    }),
    bundle: t.field({
      type: InstructionBundleRef,
      nullable: false,
      description: 'Instructions and lookup tables of the action.',
      resolve: ({ prepared }) => prepared,
    }),
  }),
});

const BuildResultRef = builder.unionType('BuildResult', {
  description:
    'Result of a builder: a plan, or the error that prevented it. Use `__typename` to tell them apart.',
  types: [TransactionPlanRef, TransactionTooLargeRef, ...REFUSAL_REFS],
});

const PreviewResultRef = builder.unionType('PreviewResult', {
  description: 'Result of `preview`: a preview, or the error that prevented it.',
  types: [PreviewRef, ...REFUSAL_REFS],
});

/** A plan, or the refusal as a member of the union. Internal and upstream faults are thrown. */
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
    'Builders, which return unsigned transactions for a wallet to sign and change no state, and `sendTransaction`, which relays what a wallet has signed. The gateway never signs.',
});

const LENDING = {
  buildLendingDeposit: ['deposit', 'Builds a deposit into a reserve.'],
  buildLendingBorrow: ['borrow', 'Builds a borrow from a reserve.'],
  buildLendingRepay: ['repay', 'Builds a repayment of a debt to a reserve.'],
  buildLendingWithdraw: ['withdraw', 'Builds a withdrawal of a deposit from a reserve.'],
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
          description: 'Wallet, target and amount of the action.',
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
    description: 'Builds a deposit into a vault. The shares are staked when the vault has a farm.',
    args: {
      input: t.arg({
        type: VaultDepositInputRef,
        required: true,
        description: 'Wallet, target and amount of the action.',
      }),
    },
    resolve: (_root, { input }, { session }) =>
      planned(async () => await prepareVaultDeposit(session, vaultDepositRequest(input))),
  }),
  buildVaultWithdraw: t.field({
    type: BuildResultRef,
    nullable: false,
    description: 'Builds a withdrawal from a vault. As many shares as needed are unstaked.',
    args: {
      input: t.arg({
        type: VaultWithdrawInputRef,
        required: true,
        description: 'Wallet, target and amount of the action.',
      }),
    },
    resolve: (_root, { input }, { session }) =>
      planned(async () => await prepareVaultWithdraw(session, vaultWithdrawRequest(input))),
  }),
}));

builder.queryField('preview', (t) =>
  t.field({
    type: PreviewResultRef,
    nullable: false,
    description: 'Previews the effect of an action on the position, without building a transaction.',
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
      throw new RangeError('the action is empty');
    },
  }),
);
