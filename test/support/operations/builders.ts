import type { Shape } from '../contract/field-shapes.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Instruction bundle of the specification. */
export const BUNDLE: Shape = {
  fields: {
    instructions: {
      list: {
        fields: {
          programAddress: 'address',
          accounts: {
            list: {
              fields: {
                address: 'address',
                role: { oneOf: ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'] },
                'signer?': { fields: { address: 'address' } },
              },
            },
          },
          data: 'base64',
        },
      },
    },
    lutsByAddress: { map: { list: 'address' } },
  },
};

export const TRANSACTION: Shape = { fields: { transaction: 'base64' } };

export const U64_MAX = '18446744073709551615';
/** Not a market, a reserve, a vault or an obligation. */
export const NOBODY = ({ addresses }: Subjects) => addresses.emptyWallet;

/** REST calls a vault `kvault`. */
const restNames = ({ vault, ...place }: { readonly vault?: string }) =>
  vault === undefined ? place : { ...place, kvault: vault };

/** An amount in the names of REST and GraphQL. */
function amountsOf(path: string): readonly { readonly body: object; readonly input: object }[] {
  const unit = /kvault.(withdraw|stake|unstake)/.test(path) ? 'shares' : 'tokens';
  const all = /repay|withdraw|stake/.test(path) ? [U64_MAX, 'U64::MAX'] : [];
  return [
    { body: { amount: '1.25' }, input: { amount: { [unit]: '1.25' } } },
    ...all.map((amount) => ({ body: { amount }, input: { amount: { all: 'ALL' } } })),
  ];
}

function row(
  path: string,
  unknown: 'kvault' | 'market',
  code: string,
  [mutation, inputType]: readonly [string, string],
): OperationRow {
  const placeOf = ({ vault, market, depositReserve, borrowReserve }: Subjects['addresses']) =>
    unknown === 'kvault'
      ? { vault }
      : { market, reserve: /repay|borrow/.test(path) ? borrowReserve : depositReserve };
  const body = (subjects: Subjects, change: Readonly<Record<string, unknown>> = {}) => {
    const { wallet } = subjects.addresses;
    return {
      url: path,
      body: { wallet, ...restNames(placeOf(subjects.addresses)), amount: '1.5', ...change },
    };
  };
  return {
    method: 'post',
    path,
    answer: path.endsWith('-instructions') ? BUNDLE : TRANSACTION,
    builder: {
      mutation,
      inputType,
      inputs: (addresses) =>
        amountsOf(path).map((amount) => {
          const [place, { wallet }] = [placeOf(addresses), addresses];
          return {
            body: { wallet, ...restNames(place), ...amount.body },
            input: { wallet, ...place, ...amount.input },
          };
        }),
    },
    requests: (subjects) => {
      const all = /repay|withdraw|stake/.test(path) ? [body(subjects, { amount: U64_MAX })] : [];
      return [body(subjects), body(subjects, { amount: '0.000001' }), ...all];
    },
    refusals: (subjects) => [
      { name: 'no body', ask: { url: path, body: {} }, status: 400, code: 'BAD_REQUEST' },
      { name: 'not JSON', ask: { url: path, body: '{' }, status: 400, code: 'BAD_REQUEST' },
      {
        name: 'a wallet that is no address',
        ask: body(subjects, { wallet: 'nobody' }),
        status: 400,
        code: 'BAD_REQUEST',
      },
      { name: `unknown ${unknown}`, ask: body(subjects, { [unknown]: NOBODY(subjects) }), status: 400, code },
      { name: 'nothing', ask: body(subjects, { amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    ],
  };
}

export const both = (path: string) => [path, `${path}-instructions`];

/** A builder whose body is not an amount. */
export function otherRow(
  path: string,
  builder: BuilderTwin,
  body: (subjects: Subjects) => Readonly<Record<string, unknown>>,
  refusals: readonly { name: string; change: (subjects: Subjects) => object; status: number; code: string }[],
): OperationRow {
  return {
    method: 'post',
    path,
    answer: path.endsWith('-instructions') ? BUNDLE : TRANSACTION,
    builder,
    requests: (subjects) => [{ url: path, body: body(subjects) }],
    refusals: (subjects) => [
      { name: 'no body', ask: { url: path, body: {} }, status: 400, code: 'BAD_REQUEST' },
      { name: 'not JSON', ask: { url: path, body: '{' }, status: 400, code: 'BAD_REQUEST' },
      ...refusals.map(({ name, change, status, code }) => ({
        name,
        ask: { url: path, body: { ...body(subjects), ...change(subjects) } },
        status,
        code,
      })),
    ],
  };
}

/** Bodies that GraphQL takes unchanged. */
const unchanged = (...bodies: readonly object[]) => bodies.map((body) => ({ body, input: body }));

const CLAIM: BuilderTwin = {
  mutation: 'buildClaimRewards',
  inputType: 'ClaimRewardsInput',
  inputs: ({ wallet, farm }) => unchanged({ wallet, farms: [farm] }, { wallet }),
};

const claimRow = (path: string) =>
  otherRow(path, CLAIM, ({ addresses: { wallet, farm } }) => ({ wallet, farms: [farm] }), [
    { name: 'no farm', change: () => ({ farms: [] }), status: 400, code: 'BAD_REQUEST' },
    {
      name: 'a farm without a stake',
      change: (subjects) => ({ farms: [NOBODY(subjects)] }),
      status: 400,
      code: 'FARM_STAKE_NOT_FOUND',
    },
    {
      name: 'a wallet without stakes',
      change: (subjects) => ({ wallet: NOBODY(subjects), farms: undefined }),
      status: 400,
      code: 'NOTHING_TO_CLAIM',
    },
  ]);

const GROUP: BuilderTwin = {
  mutation: 'buildRequestElevationGroup',
  inputType: 'RequestElevationGroupInput',
  inputs: ({ wallet, market }) => unchanged({ wallet, market, group: 1 }),
};

const groupRow = (path: string) =>
  otherRow(path, GROUP, ({ addresses: { wallet, market } }) => ({ wallet, market, group: 1 }), [
    { name: 'an impossible group', change: () => ({ group: 33 }), status: 400, code: 'BAD_REQUEST' },
    {
      name: 'an unknown market',
      change: (subjects) => ({ market: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
  ]);

const LIQUIDATION: BuilderTwin = {
  mutation: 'buildLiquidate',
  inputType: 'LiquidateInput',
  inputs({ wallet, obligation, borrowReserve, depositReserve }) {
    const common = { wallet, obligation, repayReserve: borrowReserve, withdrawReserve: depositReserve };
    const body = { ...common, amount: '2.5', minCollateral: '0.5' };
    return [{ body, input: { ...body, amount: { tokens: '2.5' } } }];
  },
};

const liquidationRow = (path: string) =>
  otherRow(
    path,
    LIQUIDATION,
    ({ addresses: { wallet, obligation, borrowReserve, depositReserve } }) => ({
      wallet,
      obligation,
      repayReserve: borrowReserve,
      withdrawReserve: depositReserve,
      amount: '1.5',
      minCollateral: '0.1',
    }),
    [
      {
        name: 'an obligation that is none',
        change: (subjects) => ({ obligation: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_OBLIGATION_NOT_FOUND',
      },
      {
        name: 'no such debt',
        change: ({ addresses }) => ({ repayReserve: addresses.depositReserve }),
        status: 400,
        code: 'KLEND_POSITION_NOT_FOUND',
      },
      { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    ],
  );

const REDEMPTION: BuilderTwin = {
  mutation: 'buildVaultRedeemInKind',
  inputType: 'VaultRedeemInKindInput',
  inputs: ({ wallet, vault, reserve }) => {
    const place = { wallet, reserve };
    return [
      {
        body: { ...place, kvault: vault, amount: '1.25' },
        input: { ...place, vault, amount: { shares: '1.25' } },
      },
      {
        body: { ...place, kvault: vault, amount: U64_MAX },
        input: { ...place, vault, amount: { all: 'ALL' } },
      },
    ];
  },
};

const redemptionRow = (path: string) =>
  otherRow(
    path,
    REDEMPTION,
    ({ addresses: { wallet, vault, reserve } }) => ({ wallet, kvault: vault, reserve, amount: '1.5' }),
    [
      {
        name: 'a vault that is none',
        change: (subjects) => ({ kvault: NOBODY(subjects) }),
        status: 400,
        code: 'KVAULT_NOT_FOUND',
      },
      {
        name: 'a reserve that is none',
        change: (subjects) => ({ reserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'a reserve that the vault does not use',
        change: ({ addresses }) => ({ reserve: addresses.depositReserve }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    ],
  );

/** Path, mutation and type of its input. */
const LENDING = [
  ['/ktx/klend/deposit', 'buildLendingDeposit', 'LendingActionInput'],
  ['/ktx/klend/borrow', 'buildLendingBorrow', 'LendingActionInput'],
  ['/ktx/klend/repay', 'buildLendingRepay', 'LendingActionInput'],
  ['/ktx/klend/withdraw', 'buildLendingWithdraw', 'LendingActionInput'],
] as const;
const VAULT = [
  ['/ktx/kvault/deposit', 'buildVaultDeposit', 'VaultDepositInput'],
  ['/ktx/kvault/withdraw', 'buildVaultWithdraw', 'VaultWithdrawInput'],
  ['/ktx/kvault/stake', 'buildStakeShares', 'ShareStakingInput'],
  ['/ktx/kvault/unstake', 'buildUnstakeShares', 'ShareStakingInput'],
] as const;

/** The builders. Another suite covers all of their refusals. */
export const BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/farms/claim').map(claimRow),
  ...both('/ktx/klend/request-elevation-group').map(groupRow),
  ...LENDING.flatMap(([path, ...twin]) =>
    both(path).map((each) => row(each, 'market', 'KLEND_MARKET_NOT_FOUND', twin)),
  ),
  ...both('/ktx/klend/liquidate').map(liquidationRow),
  ...both('/ktx/kvault/redeem-in-kind').map(redemptionRow),
  ...VAULT.flatMap(([path, ...twin]) =>
    both(path).map((each) => row(each, 'kvault', 'KVAULT_NOT_FOUND', twin)),
  ),
];
