import type { z } from '@hono/zod-openapi';
import { actionOptions, vaultDepositOptions } from '../../services/builds/action-options.ts';
import {
  claimRewardsAction,
  elevationAction,
  type LendingActionRequest,
  lendingAction,
  liquidateAction,
  stakeSharesAction,
  unstakeSharesAction,
  vaultDepositAction,
  vaultWithdrawAction,
} from '../../services/builds/actions.ts';
import { BuildSource } from '../../services/builds/build-source.ts';
import { type Action as BuildAction, type PreparedBuild, prepare } from '../../services/builds/builds.ts';
import { buildOptions } from '../../services/builds/options-input.ts';
import type { RequestedStep } from '../../services/builds/requested-plan.ts';
import { bundleOf } from '../../services/builds/results.ts';
import { singleTransactionOf } from '../../services/builds/single-transaction.ts';
import { BUILDER_ERRORS } from '../operation/error-shapes.ts';
import { type Call, type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { obligationOf } from './obligation-choice-schemas.ts';
import { givenActionOptions } from './option-schemas.ts';
import {
  BuiltTransaction,
  ClaimRewardsBody,
  ElevationGroupBody,
  InstructionBundle,
  lendingBody,
  liquidationBody,
  parseAmount,
  vaultBody,
} from './schemas.ts';

type LendingBody = ReturnType<typeof lendingBody>;
type VaultBody = ReturnType<typeof vaultBody>;
type LiquidationBody = ReturnType<typeof liquidationBody>;
type AnyBody =
  | LendingBody
  | VaultBody
  | LiquidationBody
  | typeof ClaimRewardsBody
  | typeof ElevationGroupBody;

/** One action with two operations: one returns instructions, the other a whole transaction. */
interface Action<B extends AnyBody> {
  readonly path: `/ktx/${string}`;
  readonly id: string;
  /** The equivalent GraphQL mutation. */
  readonly mutation: string;
  readonly purpose: string;
  readonly body: B;
  readonly example: (addresses: ExampleAddresses) => z.input<B>;
  readonly actionOf: (source: BuildSource, body: z.output<B>) => BuildAction | Promise<BuildAction>;
}

const ALL = 'U64::MAX (18446744073709551615) means all.';
const NOTE =
  'Balances, minimums, caps and health are not checked. The gateway never signs, and a builder sends nothing.';

const common = { method: 'post', tag: 'Builders', family: BUILDER_ERRORS, holds: 'never' } as const;

async function prepared<B extends AnyBody>(
  { session, platform }: Pick<Call, 'session' | 'platform'>,
  action: Action<B>,
  body: z.output<B>,
): Promise<PreparedBuild> {
  const source = new BuildSource(session, platform);
  return await prepare(source, await action.actionOf(source, body), buildOptions(body.options));
}

function bothOutputs<B extends AnyBody>(action: Action<B>): Operation[] {
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
      async answer(call, input) {
        const { base64 } = await singleTransactionOf(call.session, await prepared(call, action, input.body));
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
      async answer(call, input) {
        return bundleOf(await prepared(call, action, input.body));
      },
    }),
  ];
}

function lending(
  action: LendingActionRequest['action'],
  purpose: string,
  amount: string,
  reserve: 'depositReserve' | 'borrowReserve',
): Action<LendingBody> {
  const name = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return {
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
    actionOf: (source, { wallet, market, reserve: address, amount: tokens, obligation, options }) =>
      lendingAction(source, {
        action,
        wallet,
        market,
        reserve: address,
        amount: { tokens: parseAmount(tokens) },
        ...obligationOf(obligation),
        ...actionOptions(givenActionOptions(options)),
      }),
  };
}

const vaultExample = ({ wallet, vault }: ExampleAddresses) => ({ wallet, kvault: vault, amount: '1.5' });

/** The four lending actions, by name. */
const LENDING = {
  deposit: lending(
    'deposit',
    'deposit into a reserve',
    'Amount to deposit, in whole tokens.',
    'depositReserve',
  ),
  borrow: lending('borrow', 'borrow from a reserve', 'Amount to borrow, in whole tokens.', 'borrowReserve'),
  repay: lending('repay', 'repay debt', `Debt to repay, in whole tokens. ${ALL}`, 'borrowReserve'),
  withdraw: lending(
    'withdraw',
    'withdraw from a reserve',
    `Amount to withdraw, in whole tokens. ${ALL}`,
    'depositReserve',
  ),
};

/** The liquidation of an obligation. */
const LIQUIDATION: Action<LiquidationBody> = {
  id: 'liquidateLending',
  mutation: 'buildLiquidate',
  path: '/ktx/klend/liquidate',
  purpose: 'liquidate an unhealthy obligation',
  body: liquidationBody('LendingLiquidateBody'),
  example: ({ wallet, obligation, borrowReserve, depositReserve }) => ({
    wallet,
    obligation,
    repayReserve: borrowReserve,
    withdrawReserve: depositReserve,
    amount: '1.5',
  }),
  actionOf: (source, { amount, minCollateral, options, ...what }) =>
    liquidateAction(source, {
      ...what,
      ...actionOptions(givenActionOptions(options)),
      amount: { tokens: parseAmount(amount) },
      ...(minCollateral === undefined ? {} : { minCollateral: parseAmount(minCollateral) }),
    }),
};

/** The two vault actions, by name. */
const VAULT: Readonly<Record<'deposit' | 'withdraw', Action<VaultBody>>> = {
  deposit: {
    id: 'depositVault',
    mutation: 'buildVaultDeposit',
    path: '/ktx/kvault/deposit',
    purpose: 'deposit into a vault',
    body: vaultBody('VaultDepositBody', 'Amount to deposit, in whole tokens.'),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      vaultDepositAction(source, {
        wallet,
        vault: kvault,
        amount: { tokens: parseAmount(amount) },
        ...vaultDepositOptions(givenActionOptions(options)),
      }),
  },
  withdraw: {
    id: 'withdrawVault',
    mutation: 'buildVaultWithdraw',
    path: '/ktx/kvault/withdraw',
    purpose: 'withdraw from a vault',
    body: vaultBody('VaultWithdrawBody', `Shares to redeem, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      vaultWithdrawAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  },
};

/** Shares of a vault in its farm, by name. */
const STAKING: Readonly<Record<'stake' | 'unstake', Action<VaultBody>>> = {
  stake: {
    id: 'stakeVaultShares',
    mutation: 'buildStakeShares',
    path: '/ktx/kvault/stake',
    purpose: "stake shares in a vault's farm",
    body: vaultBody('StakeSharesBody', `Shares to stake, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      stakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  },
  unstake: {
    id: 'unstakeVaultShares',
    mutation: 'buildUnstakeShares',
    path: '/ktx/kvault/unstake',
    purpose: "unstake shares from a vault's farm",
    body: vaultBody('UnstakeSharesBody', `Shares to unstake, in whole shares. ${ALL}`),
    example: vaultExample,
    actionOf: (source, { wallet, kvault, amount, options }) =>
      unstakeSharesAction(source, {
        wallet,
        vault: kvault,
        amount: { shares: parseAmount(amount) },
        ...actionOptions(givenActionOptions(options)),
      }),
  },
};

const CLAIM: Action<typeof ClaimRewardsBody> = {
  id: 'claimFarmRewards',
  mutation: 'buildClaimRewards',
  path: '/ktx/farms/claim',
  purpose: 'claim rewards of farms',
  body: ClaimRewardsBody,
  example: ({ wallet, farm }) => ({ wallet, farms: [farm] }),
  actionOf: (source, { wallet, farms, options }) =>
    claimRewardsAction(source, {
      wallet,
      ...(farms === undefined ? {} : { farms }),
      ...actionOptions(givenActionOptions(options)),
    }),
};

const ELEVATION: Action<typeof ElevationGroupBody> = {
  id: 'requestElevationGroup',
  mutation: 'buildRequestElevationGroup',
  path: '/ktx/klend/request-elevation-group',
  purpose: 'move an obligation to an elevation group',
  body: ElevationGroupBody,
  example: ({ wallet, market }) => ({ wallet, market, group: 1 }),
  actionOf: (source, { wallet, market, group, obligation }) =>
    elevationAction(source, { wallet, market, group, ...obligationOf(obligation) }),
};

/** An action as a step of a plan. */
export interface PlannableAction {
  readonly body: AnyBody;
  readonly stepOf: (source: BuildSource, body: object) => Promise<RequestedStep>;
}

function plannable<B extends AnyBody>({ body, actionOf }: Action<B>): PlannableAction {
  return {
    body,
    // The body was parsed by the schema beside it.
    stepOf: async (source, given) => {
      const parsed = given as z.output<B>;
      return { action: await actionOf(source, parsed), options: buildOptions(parsed.options) };
    },
  };
}

/** The actions that a plan can have, by their name in it. */
export const KTX_ACTIONS: Readonly<Record<string, PlannableAction>> = {
  lendingDeposit: plannable(LENDING.deposit),
  lendingBorrow: plannable(LENDING.borrow),
  lendingRepay: plannable(LENDING.repay),
  lendingWithdraw: plannable(LENDING.withdraw),
  liquidate: plannable(LIQUIDATION),
  requestElevationGroup: plannable(ELEVATION),
  vaultDeposit: plannable(VAULT.deposit),
  vaultWithdraw: plannable(VAULT.withdraw),
  stakeShares: plannable(STAKING.stake),
  unstakeShares: plannable(STAKING.unstake),
  claimRewards: plannable(CLAIM),
};

/** The builders, each in two forms. */
export const KTX_OPERATIONS: readonly Operation[] = [
  ...Object.values(LENDING).flatMap((action) => bothOutputs(action)),
  ...bothOutputs(LIQUIDATION),
  ...Object.values(VAULT).flatMap((action) => bothOutputs(action)),
  ...Object.values(STAKING).flatMap((action) => bothOutputs(action)),
  ...bothOutputs(CLAIM),
  ...bothOutputs(ELEVATION),
];
