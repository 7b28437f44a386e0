import { both, NOBODY, otherRow, U64_MAX } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** The builder of a repayment with a withdrawal. */

const place = ({ wallet, market, borrowReserve, depositReserve }: Subjects['addresses']) => ({
  wallet,
  market,
  repayReserve: borrowReserve,
  withdrawReserve: depositReserve,
});

const TWIN: BuilderTwin = {
  mutation: 'buildRepayAndWithdraw',
  inputType: 'RepayAndWithdrawInput',
  inputs(addresses) {
    const common = place(addresses);
    const obligation = { address: addresses.obligation };
    return [
      {
        body: { ...common, repay: '1.25', withdraw: '0.005' },
        input: { ...common, repay: { tokens: '1.25' }, withdraw: { tokens: '0.005' } },
      },
      {
        body: { ...common, obligation, repay: U64_MAX, withdraw: '0.005' },
        input: { ...common, obligation, repay: { all: 'ALL' }, withdraw: { tokens: '0.005' } },
      },
      {
        body: { ...common, repay: '1.25', withdraw: 'U64::MAX' },
        input: { ...common, repay: { tokens: '1.25' }, withdraw: { all: 'ALL' } },
      },
    ];
  },
};

const row = (path: string) =>
  otherRow(path, TWIN, ({ addresses }) => ({ ...place(addresses), repay: '1.5', withdraw: '0.01' }), [
    {
      name: 'a market that is none',
      change: (subjects) => ({ market: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_MARKET_NOT_FOUND',
    },
    {
      name: 'a reserve that is none',
      change: (subjects) => ({ repayReserve: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_RESERVE_NOT_FOUND',
    },
    {
      name: 'another reserve that is none',
      change: (subjects) => ({ withdrawReserve: NOBODY(subjects) }),
      status: 400,
      code: 'KLEND_RESERVE_NOT_FOUND',
    },
    {
      name: 'an obligation that is none',
      change: (subjects) => ({ obligation: { address: NOBODY(subjects) } }),
      status: 400,
      code: 'KLEND_OBLIGATION_NOT_FOUND',
    },
    {
      name: 'no such debt',
      change: ({ addresses }) => ({ repayReserve: addresses.depositReserve }),
      status: 400,
      code: 'KLEND_POSITION_NOT_FOUND',
    },
    {
      name: 'no such deposit',
      change: ({ addresses }) => ({ withdrawReserve: addresses.borrowReserve }),
      status: 400,
      code: 'KLEND_POSITION_NOT_FOUND',
    },
    { name: 'no repayment', change: () => ({ repay: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    { name: 'no withdrawal', change: () => ({ withdraw: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
    { name: 'half an amount', change: () => ({ withdraw: undefined }), status: 400, code: 'BAD_REQUEST' },
  ]);

export const REPAY_WITHDRAW_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/repay-and-withdraw').map(row),
];
