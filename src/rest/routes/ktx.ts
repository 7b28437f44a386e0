import type { z } from '@hono/zod-openapi';
import { bundleOf } from '../../services/build-results.ts';
import {
  type LendingBuildRequest,
  type PreparedBuild,
  prepareLending,
  prepareVaultDeposit,
  prepareVaultWithdraw,
} from '../../services/builds.ts';
import type { Session } from '../../services/records.ts';
import { singleTransactionOf } from '../../services/single-transaction.ts';
import { BUILDER_ERRORS } from '../error-shapes.ts';
import { type ExampleAddresses, type Operation, operation } from '../operation.ts';
import {
  BuiltTransaction,
  InstructionBundle,
  lendingBody,
  parseAmount,
  vaultBody,
} from '../schemas/builds.ts';

type LendingBody = ReturnType<typeof lendingBody>;
type VaultBody = ReturnType<typeof vaultBody>;

/** One action with two operations: one returns instructions, the other a whole transaction. */
interface Action<B extends LendingBody | VaultBody> {
  readonly path: `/ktx/${string}`;
  readonly id: string;
  /** The equivalent GraphQL mutation. */
  readonly mutation: string;
  readonly purpose: string;
  readonly body: B;
  readonly example: (addresses: ExampleAddresses) => z.input<B>;
  readonly prepare: (session: Session, body: z.output<B>) => Promise<PreparedBuild>;
}

const ALL = 'U64::MAX (18446744073709551615) means all.';
const NOTE =
  'Balances, minimums, caps and health are not checked. The gateway never signs, and a builder sends nothing.';

const common = { method: 'post', tag: 'Builders', family: BUILDER_ERRORS, holds: 'never' } as const;

function bothOutputs<B extends LendingBody | VaultBody>(action: Action<B>): Operation[] {
  const { id, path, mutation, purpose, body } = action;
  const example = (addresses: ExampleAddresses) => ({ body: action.example(addresses) });
  return [
    operation({
      ...common,
      id,
      path,
      graph: `mutation { ${mutation}(input) { ... on TransactionPlan { transactions { base64 } } } }`,
      summary: `Unsigned transaction to ${purpose}`,
      description: `${NOTE} An action that does not fit into one transaction of 1232 bytes fails with TRANSACTION_SIZE_ERROR.`,
      body,
      response: BuiltTransaction,
      example,
      async answer({ session }, input) {
        const { base64 } = await singleTransactionOf(session, await action.prepare(session, input.body));
        return { transaction: base64 };
      },
    }),
    operation({
      ...common,
      id: `${id}Instructions`,
      path: `${path}-instructions`,
      graph: `mutation { ${mutation}(input) { ... on TransactionPlan { bundle { instructions lutsByAddress } } } }`,
      summary: `Instructions and lookup tables to ${purpose}`,
      description: NOTE,
      body,
      response: InstructionBundle,
      example,
      async answer({ session }, input) {
        return bundleOf(await action.prepare(session, input.body));
      },
    }),
  ];
}

function lending(
  action: LendingBuildRequest['action'],
  purpose: string,
  amount: string,
  reserve: 'depositReserve' | 'borrowReserve',
): Operation[] {
  const name = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return bothOutputs<LendingBody>({
    id: `${action}Lending`,
    mutation: `buildLending${name}`,
    path: `/ktx/klend/${action}`,
    purpose,
    body: lendingBody(`Lending${name}Body`, amount),
    example: (addresses) => ({
      wallet: addresses.wallet,
      market: addresses.market,
      reserve: addresses[reserve],
      amount: '1.5',
    }),
    prepare: (session, { amount: tokens, ...what }) =>
      prepareLending(session, { action, ...what, amount: { tokens: parseAmount(tokens) } }),
  });
}

const vaultExample = ({ wallet, vault }: ExampleAddresses) => ({ wallet, kvault: vault, amount: '1.5' });

/** The builders: four lending actions on the wallet's vanilla obligation and two vault actions, each in two forms. */
export const KTX_OPERATIONS: readonly Operation[] = [
  ...lending('deposit', 'deposit into a reserve', 'Amount to deposit, in whole tokens.', 'depositReserve'),
  ...lending('borrow', 'borrow from a reserve', 'Amount to borrow, in whole tokens.', 'borrowReserve'),
  ...lending('repay', 'repay debt', `Debt to repay, in whole tokens. ${ALL}`, 'borrowReserve'),
  ...lending(
    'withdraw',
    'withdraw from a reserve',
    `Amount to withdraw, in whole tokens. ${ALL}`,
    'depositReserve',
  ),
  ...bothOutputs<VaultBody>({
    id: 'depositVault',
    mutation: 'buildVaultDeposit',
    path: '/ktx/kvault/deposit',
    purpose: 'deposit into a vault',
    body: vaultBody('VaultDepositBody', 'Amount to deposit, in whole tokens.'),
    example: vaultExample,
    prepare: (session, { wallet, kvault, amount }) =>
      prepareVaultDeposit(session, { wallet, vault: kvault, amount: { tokens: parseAmount(amount) } }),
  }),
  ...bothOutputs<VaultBody>({
    id: 'withdrawVault',
    mutation: 'buildVaultWithdraw',
    path: '/ktx/kvault/withdraw',
    purpose: 'withdraw from a vault',
    body: vaultBody('VaultWithdrawBody', `Shares to redeem, in whole shares. ${ALL}`),
    example: vaultExample,
    prepare: (session, { wallet, kvault, amount }) =>
      prepareVaultWithdraw(session, { wallet, vault: kvault, amount: { shares: parseAmount(amount) } }),
  }),
];
