import { both, NOBODY, otherRow } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of borrow orders, on an obligation that has order 0. */

type Refusals = Parameters<typeof otherRow>[3];

/** 2100, in Unix seconds and as a date. */
const UNTIL = 4_102_444_800;
const UNTIL_DATE = '2100-01-01T00:00:00.000Z';

const NO_PLACE: Refusals = [
  {
    name: 'an obligation that is none',
    change: (subjects) => ({ obligation: { address: NOBODY(subjects) } }),
    status: 400,
    code: 'KLEND_OBLIGATION_NOT_FOUND',
  },
  {
    name: 'an obligation of another wallet',
    change: ({ addresses }) => ({
      wallet: addresses.emptyWallet,
      obligation: { address: addresses.orderedObligation },
    }),
    status: 400,
    code: 'BUILD_REFUSED',
  },
  { name: 'a fourth order', change: () => ({ index: 3 }), status: 400, code: 'BAD_REQUEST' },
];

const placeOf = ({ orderingWallet, market }: Subjects['addresses']) => ({ wallet: orderingWallet, market });
const termsOf = ({ tokenMint }: Subjects['addresses']) => ({
  mint: tokenMint,
  maxBorrowRateBps: 800,
});

const SET: BuilderTwin = {
  mutation: 'buildSetBorrowOrder',
  inputType: 'SetBorrowOrderInput',
  inputs(addresses) {
    const common = { ...placeOf(addresses), ...termsOf(addresses) };
    const changed = {
      ...common,
      index: 0,
      autoRollover: true,
      obligation: { address: addresses.orderedObligation },
    };
    return [
      {
        body: { ...common, amount: '12.5', fillableUntil: UNTIL },
        input: { ...common, amount: { tokens: '12.5' }, fillableUntil: UNTIL_DATE },
      },
      {
        body: { ...changed, amount: '300', fillableUntil: UNTIL, minTermSeconds: 86_400 },
        input: {
          ...changed,
          amount: { baseUnits: '300000000' },
          fillableUntil: UNTIL_DATE,
          minTermSeconds: '86400',
        },
      },
    ];
  },
};

const setRow = (path: string) =>
  otherRow(
    path,
    SET,
    ({ addresses }) => ({
      ...placeOf(addresses),
      ...termsOf(addresses),
      amount: '12.5',
      fillableUntil: UNTIL,
    }),
    [
      ...NO_PLACE,
      { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
      {
        name: 'everything',
        change: () => ({ amount: 'U64::MAX' }),
        status: 400,
        code: 'DECIMAL_TO_LAMPORTS_OVERFLOW',
      },
      { name: 'no rate', change: () => ({ maxBorrowRateBps: 0 }), status: 400, code: 'BAD_REQUEST' },
      {
        name: 'a time in the past',
        change: () => ({ fillableUntil: 1 }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'a market that is none',
        change: (subjects) => ({ market: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_MARKET_NOT_FOUND',
      },
      {
        name: 'a token that the market does not lend',
        change: (subjects) => ({ mint: NOBODY(subjects) }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'another token for an order',
        change: ({ addresses }) => ({ mint: addresses.stakedMint, index: 0 }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
    ],
  );

const CANCEL: BuilderTwin = {
  mutation: 'buildCancelBorrowOrder',
  inputType: 'CancelBorrowOrderInput',
  inputs(addresses) {
    const body = { ...placeOf(addresses), index: 0, obligation: { address: addresses.orderedObligation } };
    return [{ body, input: body }];
  },
};

const cancelRow = (path: string) =>
  otherRow(path, CANCEL, ({ addresses }) => ({ ...placeOf(addresses), index: 0 }), [
    ...NO_PLACE,
    {
      name: 'a market that is none',
      change: (subjects) => ({
        market: NOBODY(subjects),
        obligation: { address: subjects.addresses.orderedObligation },
      }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
    { name: 'an order that is none', change: () => ({ index: 1 }), status: 400, code: 'BUILD_REFUSED' },
  ]);

const FILL: BuilderTwin = {
  mutation: 'buildFillBorrowOrder',
  inputType: 'FillBorrowOrderInput',
  inputs({ wallet, orderedObligation, reserve }) {
    const body = { wallet, obligation: orderedObligation, index: 0, reserve };
    return [{ body, input: body }];
  },
};

const fillRow = (path: string) =>
  otherRow(
    path,
    FILL,
    ({ addresses: { wallet, orderedObligation, reserve } }) => ({
      wallet,
      obligation: orderedObligation,
      index: 0,
      reserve,
    }),
    [
      {
        name: 'an obligation that is none',
        change: (subjects) => ({ obligation: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_OBLIGATION_NOT_FOUND',
      },
      {
        name: 'a reserve that is none',
        change: (subjects) => ({ reserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'a reserve of another token',
        change: ({ addresses }) => ({ reserve: addresses.stakedReserve }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      { name: 'an order that is none', change: () => ({ index: 2 }), status: 400, code: 'BUILD_REFUSED' },
      { name: 'a fourth order', change: () => ({ index: 3 }), status: 400, code: 'BAD_REQUEST' },
    ],
  );

export const BORROW_ORDER_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/set-borrow-order').map(setRow),
  ...both('/ktx/klend/cancel-borrow-order').map(cancelRow),
  ...both('/ktx/klend/fill-borrow-order').map(fillRow),
];
