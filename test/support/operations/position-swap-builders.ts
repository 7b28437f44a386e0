import { both, NOBODY, otherRow, U64_MAX } from './builders.ts';
import type { BuilderTwin, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** Builders that swap the debt or the collateral of an obligation. */

type Refusals = Parameters<typeof otherRow>[3];

const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/** One instruction of a router that the wallet signs. Both APIs take it in this form. */
const swapOf = (wallet: string, inAmount: string | null, minOut: string, change: object = {}) => ({
  instructions: [
    {
      programAddress: ROUTER,
      accounts: [{ address: wallet, role: 'WRITABLE_SIGNER' }],
      data: 'wSCbM0HWnIE=',
      ...change,
    },
  ],
  ...(inAmount === null ? {} : { inAmount }),
  minOut,
});

const debtPlace = ({ wallet, market, borrowReserve, stakedReserve }: Subjects['addresses']) => ({
  wallet,
  market,
  repayReserve: borrowReserve,
  borrowReserve: stakedReserve,
});

const collateralPlace = ({ wallet, market, depositReserve, stakedReserve }: Subjects['addresses']) => ({
  wallet,
  market,
  withdrawReserve: depositReserve,
  depositReserve: stakedReserve,
});

const debtSwap = (wallet: string) => swapOf(wallet, '8000000', '1600000');
const collateralSwap = (wallet: string) => swapOf(wallet, '100000000', '75000000');

const SWAP_DEBT: BuilderTwin = {
  mutation: 'buildSwapDebt',
  inputType: 'SwapDebtInput',
  inputs(addresses) {
    const common = { ...debtPlace(addresses), swap: debtSwap(addresses.wallet) };
    const whole = { ...common, swap: swapOf(addresses.wallet, '800000000000', '900000000000') };
    const obligation = { address: addresses.obligation };
    return [
      { body: { ...common, amount: '1.25' }, input: { ...common, amount: { tokens: '1.25' } } },
      {
        body: { ...common, obligation, amount: '1.25' },
        input: { ...common, obligation, amount: { tokens: '1.25' } },
      },
      { body: { ...whole, amount: U64_MAX }, input: { ...whole, amount: { all: 'ALL' } } },
    ];
  },
};

const SWAP_COLLATERAL: BuilderTwin = {
  mutation: 'buildSwapCollateral',
  inputType: 'SwapCollateralInput',
  inputs(addresses) {
    const common = { ...collateralPlace(addresses), swap: collateralSwap(addresses.wallet) };
    const whole = { ...common, swap: swapOf(addresses.wallet, null, '75000000') };
    return [
      { body: { ...common, amount: '0.1' }, input: { ...common, amount: { tokens: '0.1' } } },
      { body: { ...whole, amount: 'U64::MAX' }, input: { ...whole, amount: { all: 'ALL' } } },
    ];
  },
};

const COMMON: Refusals = [
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
  { name: 'nothing', change: () => ({ amount: '0' }), status: 400, code: 'AMOUNT_NOT_POSITIVE' },
  { name: 'a swap that is null', change: () => ({ swap: null }), status: 400, code: 'BAD_REQUEST' },
  { name: 'a swap that is a text', change: () => ({ swap: 'best' }), status: 400, code: 'BAD_REQUEST' },
  {
    name: 'a swap without instructions',
    change: () => ({ swap: { instructions: [], inAmount: '1', minOut: '1' } }),
    status: 400,
    code: 'SWAP_REFUSED',
  },
  {
    name: 'a role that is none',
    change: ({ addresses: { wallet } }) => ({
      swap: swapOf(wallet, '1', '1', { accounts: [{ address: wallet, role: 'OWNER' }] }),
    }),
    status: 400,
    code: 'BAD_REQUEST',
  },
  {
    name: 'data that is not base64',
    change: ({ addresses: { wallet } }) => ({ swap: swapOf(wallet, '1', '1', { data: '*' }) }),
    status: 400,
    code: 'SWAP_REFUSED',
  },
  {
    name: 'a swap that signs for somebody else',
    change: ({ addresses: { wallet, emptyWallet } }) => ({
      swap: swapOf(wallet, '8000000', '75000000', {
        accounts: [{ address: emptyWallet, role: 'READONLY_SIGNER' }],
      }),
    }),
    status: 400,
    code: 'SWAP_REFUSED',
  },
];

const debtRow = (path: string) =>
  otherRow(
    path,
    SWAP_DEBT,
    ({ addresses }) => ({ ...debtPlace(addresses), amount: '1.5', swap: debtSwap(addresses.wallet) }),
    [
      ...COMMON,
      {
        name: 'a reserve that is none',
        change: (subjects) => ({ repayReserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'another reserve that is none',
        change: (subjects) => ({ borrowReserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'one reserve on both sides',
        change: ({ addresses }) => ({ borrowReserve: addresses.borrowReserve }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'no such debt',
        change: ({ addresses }) => ({ repayReserve: addresses.depositReserve }),
        status: 400,
        code: 'KLEND_POSITION_NOT_FOUND',
      },
      {
        name: 'a swap that does not pay the debt',
        change: ({ addresses }) => ({ swap: swapOf(addresses.wallet, '8000000', '1499999') }),
        status: 400,
        code: 'SWAP_REFUSED',
      },
      {
        name: 'a swap of nobody knows how much',
        change: ({ addresses }) => ({ swap: swapOf(addresses.wallet, null, '1600000') }),
        status: 400,
        code: 'SWAP_REFUSED',
      },
    ],
  );

const collateralRow = (path: string) =>
  otherRow(
    path,
    SWAP_COLLATERAL,
    ({ addresses }) => ({
      ...collateralPlace(addresses),
      amount: '0.1',
      swap: collateralSwap(addresses.wallet),
    }),
    [
      ...COMMON,
      {
        name: 'a reserve that is none',
        change: (subjects) => ({ withdrawReserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'another reserve that is none',
        change: (subjects) => ({ depositReserve: NOBODY(subjects) }),
        status: 400,
        code: 'KLEND_RESERVE_NOT_FOUND',
      },
      {
        name: 'one reserve on both sides',
        change: ({ addresses }) => ({ depositReserve: addresses.depositReserve }),
        status: 400,
        code: 'BUILD_REFUSED',
      },
      {
        name: 'no such deposit',
        change: ({ addresses }) => ({ withdrawReserve: addresses.borrowReserve }),
        status: 400,
        code: 'KLEND_POSITION_NOT_FOUND',
      },
      {
        name: 'a swap of more than is withdrawn',
        change: ({ addresses }) => ({ swap: swapOf(addresses.wallet, '200000000', '75000000') }),
        status: 400,
        code: 'SWAP_REFUSED',
      },
    ],
  );

export const POSITION_SWAP_BUILDER_ROWS: readonly OperationRow[] = [
  ...both('/ktx/klend/swap-debt').map(debtRow),
  ...both('/ktx/klend/swap-collateral').map(collateralRow),
];
