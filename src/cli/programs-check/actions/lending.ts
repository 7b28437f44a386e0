import type { Address } from '@solana/kit';
import type { CheckedAction } from '../checked-action.ts';
import { figure, NONE } from '../figures.ts';
import { elevationGroupOf, lendingPosition, orderOf } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const ALL = { all: 'ALL' };

type LendingKind = 'Deposit' | 'Borrow' | 'Repay' | 'Withdraw';

/** What is done with the loan of the wallet, in this order. */
export interface LoanActions {
  readonly open: readonly CheckedAction[];
  readonly repay: readonly CheckedAction[];
  readonly withdraw: CheckedAction;
}

export function loanActions(subject: Subject, obligation: Address): LoanActions {
  const { reserve, borrowReserve, amount, borrowAmount } = subject;
  const lending = (action: LendingKind, target: Address, input: object): CheckedAction => ({
    kind: KINDS[action],
    name: `lending ${action.toLowerCase()}`,
    prepare: () => ({
      mutation: `buildLending${action}`,
      inputType: 'LendingActionInput',
      input: { wallet: subject.wallet, market: subject.market, reserve: target, amount: input },
    }),
    predicted: (preview) => ({
      tokens: figure(preview.tokens?.after),
      healthFactor: figure(preview.healthFactor?.after),
    }),
    readBack: async (ask) => await lendingPosition(ask, obligation, target, SIDES[action]),
  });
  return {
    open: [
      lending('Deposit', reserve, { tokens: amount }),
      elevation(subject, obligation, subject.elevationGroup),
      lending('Borrow', borrowReserve, { tokens: borrowAmount }),
      ...orders(subject, obligation),
    ],
    repay: [
      repayAndWithdraw(subject, obligation),
      lending('Repay', borrowReserve, ALL),
      elevation(subject, obligation, 0),
    ],
    withdraw: lending('Withdraw', reserve, ALL),
  };
}

const KINDS = {
  Deposit: 'LENDING_DEPOSIT',
  Borrow: 'LENDING_BORROW',
  Repay: 'LENDING_REPAY',
  Withdraw: 'LENDING_WITHDRAW',
} as const;
const SIDES = { Deposit: 'deposits', Borrow: 'borrows', Repay: 'borrows', Withdraw: 'deposits' } as const;

/** Half of the deposit against half of the debt. */
function repayAndWithdraw(subject: Subject, obligation: Address): CheckedAction {
  const { wallet, market, reserve, borrowReserve, partialAmount, partialBorrow } = subject;
  return {
    kind: 'REPAY_AND_WITHDRAW',
    name: 'repay and withdraw',
    prepare: () => ({
      mutation: 'buildRepayAndWithdraw',
      inputType: 'RepayAndWithdrawInput',
      input: {
        wallet,
        market,
        repayReserve: borrowReserve,
        repay: { tokens: partialBorrow },
        withdrawReserve: reserve,
        withdraw: { tokens: partialAmount },
      },
    }),
    predicted: ({ debtTokens, healthFactor }) => ({
      tokens: figure(debtTokens?.after),
      healthFactor: figure(healthFactor?.after),
    }),
    readBack: async (ask) => await lendingPosition(ask, obligation, borrowReserve, 'borrows'),
  };
}

function elevation({ wallet, market }: Subject, obligation: Address, group: number | null): CheckedAction {
  return {
    kind: 'REQUEST_ELEVATION_GROUP',
    name: group === 0 ? 'elevation group left' : 'elevation group joined',
    prepare: () =>
      group === null
        ? { skipped: 'the market has no elevation group for these reserves' }
        : {
            mutation: 'buildRequestElevationGroup',
            inputType: 'RequestElevationGroupInput',
            input: { wallet, market, group },
          },
    predicted: (preview) => ({ elevationGroup: figure(preview.elevationGroup?.after) }),
    readBack: async (ask) => await elevationGroupOf(ask, obligation),
  };
}

/** A stop-loss far from the present loan-to-value. */
function orders({ wallet, market }: Subject, obligation: Address): readonly CheckedAction[] {
  const order = (kind: CheckedAction['kind'], name: string, input: object): CheckedAction => ({
    kind,
    name: `${name} order`,
    prepare: () => ({
      mutation: kind === 'SET_OBLIGATION_ORDER' ? 'buildSetObligationOrder' : 'buildCancelObligationOrder',
      inputType: kind === 'SET_OBLIGATION_ORDER' ? 'SetObligationOrderInput' : 'CancelObligationOrderInput',
      input: { wallet, market, index: 0, ...input },
    }),
    predicted: (preview) => ({ order: preview.order?.after ?? NONE }),
    readBack: async (ask, preview) => await orderOf(ask, obligation, preview),
  });
  const bonus = { minBonusBps: 50, maxBonusBps: 200 };
  return [
    order('SET_OBLIGATION_ORDER', 'set', {
      condition: 'LIQUIDATION_LTV_CLOSER_THAN',
      threshold: '0.02',
      amount: ALL,
      ...bonus,
    }),
    order('CANCEL_OBLIGATION_ORDER', 'cancel', {}),
  ];
}
