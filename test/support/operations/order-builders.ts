import { both, NOBODY, otherRow, U64_MAX } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders of orders of an obligation. */

type Refusals = Parameters<typeof otherRow>[3];

const NO_PLACE: Refusals = [
  {
    name: 'a market that is none',
    change: (subjects) => ({ market: NOBODY(subjects) }),
    status: 400,
    code: 'KLEND_MARKET_NOT_FOUND',
  },
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
      obligation: { address: addresses.obligation },
    }),
    status: 400,
    code: 'BUILD_REFUSED',
  },
  { name: 'a third order', change: () => ({ index: 2 }), status: 400, code: 'BAD_REQUEST' },
];

const terms = {
  condition: 'LTV_ABOVE',
  threshold: '0.6',
  minBonusBps: 50,
  maxBonusBps: 200,
};
const placeOf = ({ wallet, market }: Subjects['addresses']) => ({ wallet, market });

const SET: BuilderTwin = {
  mutation: 'buildSetObligationOrder',
  inputType: 'SetObligationOrderInput',
  inputs(addresses) {
    const common = { ...placeOf(addresses), ...terms };
    const closer = {
      ...common,
      condition: 'LIQUIDATION_LTV_CLOSER_THAN',
      threshold: '0.05',
      index: 1,
      obligation: { address: addresses.obligation },
    };
    return [
      { body: { ...common, amount: '1.25' }, input: { ...common, amount: { tokens: '1.25' } } },
      { body: { ...common, amount: U64_MAX }, input: { ...common, amount: { all: 'ALL' } } },
      { body: { ...closer, amount: 'U64::MAX' }, input: { ...closer, amount: { all: 'ALL' } } },
    ];
  },
};

const setRow = (path: string) =>
  otherRow(path, SET, ({ addresses }) => ({ ...placeOf(addresses), ...terms, amount: '1.5' }), [
    ...NO_PLACE,
    { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    {
      name: 'a threshold out of range',
      change: () => ({ threshold: '1.2' }),
      status: 400,
      code: 'ORDER_CANNOT_TRIGGER',
    },
    {
      name: 'a threshold above liquidation',
      change: () => ({ threshold: '0.99' }),
      status: 400,
      code: 'ORDER_CANNOT_TRIGGER',
    },
    {
      name: 'a condition that is none',
      change: () => ({ condition: 'ALWAYS' }),
      status: 400,
      code: 'BAD_REQUEST',
    },
    { name: 'a bonus above 10 %', change: () => ({ maxBonusBps: 1001 }), status: 400, code: 'BAD_REQUEST' },
    {
      name: 'an empty range of bonuses',
      change: () => ({ minBonusBps: 201 }),
      status: 400,
      code: 'BUILD_REFUSED',
    },
  ]);

const CANCEL: BuilderTwin = {
  mutation: 'buildCancelObligationOrder',
  inputType: 'CancelObligationOrderInput',
  inputs(addresses) {
    const body = { ...placeOf(addresses), index: 1, obligation: { address: addresses.obligation } };
    return [{ body, input: body }];
  },
};

const cancelRow = (path: string) =>
  otherRow(path, CANCEL, ({ addresses }) => ({ ...placeOf(addresses), index: 0 }), NO_PLACE);

export const ORDER_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/set-obligation-order').map(setRow),
  ...both('/ktx/klend/cancel-obligation-order').map(cancelRow),
];
