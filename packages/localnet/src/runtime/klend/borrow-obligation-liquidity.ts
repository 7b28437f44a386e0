import { borrowV1, borrowV2 } from '@sluice/protocol/klend/action-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { borrowAndPay, checkBorrowedFrom } from './borrowed-from.ts';
import { bothVersions } from './both-versions.ts';

/** The instruction itself, without its calls to other programs. */
const UNITS = 48_000;

export const [borrowObligationLiquidity, borrowObligationLiquidityV2] = bothVersions({
  v1: borrowV1,
  v2: borrowV2,
  units: UNITS,
  kind: 'debt',
  check: ({ accounts }) => checkBorrowedFrom(accounts, accounts.owner),
  run({ invocation, accounts, args, remaining }, checked) {
    const { liquidityAmount: amount } = args;
    const ask = amount === U64_MAX ? 'all' : { exact: amount };
    borrowAndPay(invocation, accounts, checked, remaining, ask);
  },
  farmed: (accounts) => ({ ...accounts, reserve: accounts.borrowReserve }),
});
