import { fillBorrowOrder } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/fillBorrowOrder.js';
import { setBorrowOrder } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/setBorrowOrder.js';
import { setObligationOrder } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/setObligationOrder.js';
import { SYSVAR_INSTRUCTIONS } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs } from './arguments.ts';
import { instructionCases, withoutArgs } from './template.ts';

const program = 'klend';

const orders = amounts.map((amount, i) => ({
  conditionThresholdSf: amount,
  opportunityParameterSf: amounts[amounts.length - 1 - i] ?? amount,
  minExecutionBonusBps: [0, 1, 65_535, 300, 10][i] ?? 0,
  maxExecutionBonusBps: [0, 2, 65_535, 400, 20][i] ?? 0,
  conditionType: i,
  opportunityType: i % 3,
  padding1: Array<number>(10).fill(0),
  padding2: Array.from({ length: 5 }, () => bn(0)),
}));

/** Standing orders of an obligation. */
export const klendOrderCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'setObligationOrder',
    args: orders.map((order, index) => ({ index: index % 2, order })),
    accounts: {
      owner: 'signer',
      obligation: 'account',
      lendingMarket: 'account',
    },
    build: setObligationOrder,
  }),
  ...instructionCases({
    program,
    name: 'setBorrowOrder',
    args: amounts.map((amount, i) => ({
      orderConfig: {
        remainingDebtAmount: amount,
        maxBorrowRateBps: [0, 1, 950, 65_536, 4_294_967_295][i] ?? 0,
        minDebtTermSeconds: amount,
        fillableUntilTimestamp: amount,
        enableAutoRolloverOnFilledBorrows: i % 2 === 1,
      },
      minExpectedCurrentRemainingDebtAmount: amount,
    })),
    accounts: {
      owner: 'signer',
      obligation: 'account',
      lendingMarket: 'account',
      reserve: 'account',
      filledDebtDestination: 'account',
      debtLiquidityMint: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
      eventAuthority: 'account',
      program: 'account',
    },
    build: setBorrowOrder,
  }),
  ...instructionCases({
    program,
    name: 'fillBorrowOrder',
    args: noArgs,
    accounts: {
      borrowAccounts: {
        payer: 'signer',
        obligation: 'account',
        lendingMarket: 'account',
        lendingMarketAuthority: 'account',
        borrowReserve: 'account',
        borrowReserveLiquidityMint: 'account',
        reserveSourceLiquidity: 'account',
        borrowReserveLiquidityFeeReceiver: 'account',
        userDestinationLiquidity: 'account',
        referrerTokenState: 'optional',
        tokenProgram: 'account',
        instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
      },
      farmsAccounts: {
        obligationFarmUserState: 'optional',
        reserveFarmState: 'optional',
      },
      farmsProgram: 'account',
      eventAuthority: 'account',
      program: 'account',
    },
    build: withoutArgs(fillBorrowOrder),
  }),
];
