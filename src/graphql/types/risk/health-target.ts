import {
  type HealthAction,
  type HealthTargetLimit,
  type ObligationCollateralTarget,
  type ObligationTarget,
  obligationCollateralTarget,
  obligationTarget,
} from '../../../services/risk/health-target.ts';
import { builder } from '../../builder.ts';
import { ObligationRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const HealthActionRef = builder.enumType('HealthAction', {
  description: 'An action that changes the health of an obligation.',
  values: {
    REPAY: { description: 'Repay a debt.' },
    DEPOSIT: { description: 'Deposit collateral, also into a reserve that the obligation does not use yet.' },
    WITHDRAW: { description: 'Withdraw a deposit.' },
  } as const,
});

const ACTIONS = {
  REPAY: 'repay',
  DEPOSIT: 'deposit',
  WITHDRAW: 'withdraw',
} as const satisfies Record<string, HealthAction>;

const HealthTargetLimitRef = builder.enumType('HealthTargetLimit', {
  description: 'Why no amount reaches a health factor, or what bounds the amount.',
  values: {
    NO_DEBT: { description: 'The obligation has no debt, so it has no health factor.' },
    ALREADY_REACHED: { description: 'The health factor is at the target already, or above it.' },
    NOTHING_TO_SPARE: {
      description: 'The health factor is below the target already, or would be after one base unit.',
    },
    NO_POSITION: { description: 'The obligation has no such debt or deposit in the reserve.' },
    POSITION: {
      description:
        'REPAY, and a repayment with collateral: not even repaying the whole debt, or with the whole deposit, suffices; no amount. WITHDRAW: the whole deposit can be withdrawn; `amount` is all of it.',
    },
    NOT_COLLATERAL: { description: 'A deposit in the reserve does not raise the liquidation limit.' },
    PRICE_UNKNOWN: { description: 'A price is unknown, or the market or a reserve cannot be read.' },
    PRICE_REFUSED: { description: 'The lending program does not accept the price of a reserve now.' },
    DEPOSIT_LIMIT: { description: 'The deposit limit of the reserve would be exceeded.' },
    LIQUIDITY: { description: 'The reserve does not have the liquidity.' },
    OUTFLOW: { description: 'The cap of the reserve on outflow in the current interval would be exceeded.' },
    BORROW_LIMIT: {
      description:
        'The debt would exceed the borrow limit of the remaining collateral: the maximum LTV, or, for a repayment with collateral above it, the liquidation threshold or the present LTV.',
    },
    MINIMUM_VALUE: { description: 'The remaining position would be worth less than the market allows.' },
    NOT_ALLOWED: {
      description: 'The market, the reserve or the state of the obligation does not allow the action.',
    },
  } as const satisfies Record<HealthTargetLimit, object>,
});

const HealthTargetRef = builder.objectRef<ObligationTarget>('HealthTarget').implement({
  description: 'The amount that brings an obligation to a health factor, or why there is none.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'The amount of the action, for a builder\u2019s `amount`: the smallest that reaches the target, for WITHDRAW the largest that keeps it. Null when there is none; `limit` says why.',
    }),
    earlyRepayPenalty: t.expose('earlyRepayPenalty', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Penalty of a repayment before the end of the debt\u2019s term: the wallet pays it on top of `amount`. 0 tokens when none is charged. Null without an amount.',
    }),
    healthFactor: t.expose('healthFactor', {
      type: 'Decimal',
      nullable: true,
      description: 'Health factor after the action. Null without an amount, and when no debt remains.',
    }),
    limit: t.expose('limit', {
      type: HealthTargetLimitRef,
      nullable: true,
      description: 'Why there is no amount. Null when nothing limits it.',
    }),
  }),
});

const CollateralTargetRef = builder.objectRef<ObligationCollateralTarget>('CollateralTarget').implement({
  description:
    'The repayment out of collateral that brings an obligation to a health factor, or why there is none.',
  fields: (t) => ({
    repay: t.expose('repay', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Debt to repay: `amount` of `buildRepayWithCollateral`. Null when there is none; `limit` says why.',
    }),
    withdraw: t.expose('withdraw', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Collateral to withdraw and sell for it: `inAmount` of the swap. Null without a repayment.',
    }),
    earlyRepayPenalty: t.expose('earlyRepayPenalty', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Penalty of a repayment before the end of the debt\u2019s term, which `withdraw` pays, too. 0 tokens when none is charged. Null without a repayment.',
    }),
    healthFactor: t.expose('healthFactor', {
      type: 'Decimal',
      nullable: true,
      description: 'Health factor after it. Null without a repayment, and when no debt remains.',
    }),
    limit: t.expose('limit', {
      type: HealthTargetLimitRef,
      nullable: true,
      description: 'Why there is no repayment. Null when nothing limits it.',
    }),
  }),
});

builder.objectFields(ObligationRef, (t) => ({
  toReachWithCollateral: t.field({
    type: CollateralTargetRef,
    nullable: true,
    description:
      'The smallest repayment out of a deposit that reaches a health factor, at the prices and the slot of the View, also for an obligation above its maximum LTV: no tokens of the wallet are needed. For `buildRepayWithCollateral`, or in two parts for `buildRepayAndWithdraw`. In later slots, interest and prices will have moved. Null, with an error, when a reserve does not exist or is of another market.',
    args: {
      healthFactor: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The health factor to reach. Greater than 0, at most 1,000,000.',
      }),
      repayReserve: t.arg({
        type: 'Address',
        required: true,
        description: 'The reserve of the debt, in the market of the obligation.',
      }),
      withdrawReserve: t.arg({
        type: 'Address',
        required: true,
        description: 'The reserve of the deposit, in the market of the obligation.',
      }),
      swapLossBps: t.arg.int({
        required: true,
        defaultValue: 0,
        description:
          'What the swap loses at the prices of the oracle, in basis points, 0 to 5,000: fees of the swap and of the flash loan, and slippage.',
      }),
    },
    resolve: (record, { healthFactor, repayReserve, withdrawReserve, swapLossBps }, { session }) =>
      obligationCollateralTarget(
        session,
        record,
        healthFactor,
        { repay: repayReserve, withdraw: withdrawReserve },
        swapLossBps,
      ),
  }),
  toReach: t.field({
    type: HealthTargetRef,
    nullable: true,
    description:
      'The exact amount to repay, deposit or withdraw for a health factor, at the prices and the slot of the View. Rounded as the lending program rounds: if it is passed to the builder in the same slot, the program\u2019s liquidation limit over its adjusted debt is at least the target, and with one base unit less (for WITHDRAW more) it is below. In later slots, interest and prices will have moved. The balance of the wallet is not considered. Null, with an error, when the reserve does not exist or is of another market.',
    args: {
      healthFactor: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The health factor to reach. Greater than 0, at most 1,000,000.',
      }),
      by: t.arg({ type: HealthActionRef, required: true, description: 'The action.' }),
      reserve: t.arg({
        type: 'Address',
        required: true,
        description: 'The reserve of the debt or the deposit, in the market of the obligation.',
      }),
    },
    resolve: (record, { healthFactor, by, reserve }, { session }) =>
      obligationTarget(session, record, healthFactor, ACTIONS[by], reserve),
  }),
}));
