import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
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

const U64_MAX = '18446744073709551615';
/** Not a market, a reserve, a vault or an obligation. */
const NOBODY = ({ addresses }: Subjects) => addresses.emptyWallet;

function row(path: string, unknown: 'kvault' | 'market', code: string): OperationRow {
  const body = (subjects: Subjects, change: Readonly<Record<string, unknown>> = {}) => {
    const { wallet, vault, market, depositReserve, borrowReserve } = subjects.addresses;
    const reserve = /repay|borrow/.test(path) ? borrowReserve : depositReserve;
    const place = unknown === 'kvault' ? { kvault: vault } : { market, reserve };
    return { url: path, body: { wallet, ...place, amount: '1.5', ...change } };
  };
  return {
    method: 'post',
    path,
    answer: path.endsWith('-instructions') ? BUNDLE : TRANSACTION,
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

const both = (path: string) => [path, `${path}-instructions`];
const LENDING = ['deposit', 'borrow', 'repay', 'withdraw'].flatMap((action) => both(`/ktx/klend/${action}`));
const VAULT = ['deposit', 'withdraw', 'stake', 'unstake'].flatMap((action) => both(`/ktx/kvault/${action}`));

/** A builder whose body is not an amount. */
function otherRow(
  path: string,
  body: (subjects: Subjects) => Readonly<Record<string, unknown>>,
  refusals: readonly { name: string; change: (subjects: Subjects) => object; status: number; code: string }[],
): OperationRow {
  return {
    method: 'post',
    path,
    answer: path.endsWith('-instructions') ? BUNDLE : TRANSACTION,
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

const claimRow = (path: string) =>
  otherRow(path, ({ addresses: { wallet, farm } }) => ({ wallet, farms: [farm] }), [
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

const groupRow = (path: string) =>
  otherRow(path, ({ addresses: { wallet, market } }) => ({ wallet, market, group: 1 }), [
    { name: 'an impossible group', change: () => ({ group: 33 }), status: 400, code: 'BAD_REQUEST' },
    {
      name: 'an unknown market',
      change: (subjects) => ({ market: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
  ]);

const liquidationRow = (path: string) =>
  otherRow(
    path,
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

/** The builders. Another suite covers all of their refusals. */
export const BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/farms/claim').map(claimRow),
  ...both('/ktx/klend/request-elevation-group').map(groupRow),
  ...LENDING.map((path) => row(path, 'market', 'KLEND_MARKET_NOT_FOUND')),
  ...both('/ktx/klend/liquidate').map(liquidationRow),
  ...VAULT.map((path) => row(path, 'kvault', 'KVAULT_NOT_FOUND')),
];
