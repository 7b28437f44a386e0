import {
  type ObligationWhatIf,
  type SupposedLiquidation,
  type SupposedPosition,
  supposedObligation,
  type UnknownValue,
} from '../../../services/risk/obligation-what-if.ts';
import { builder } from '../../builder.ts';
import { ObligationRef, ReserveRef, reserveLink } from '../../node-refs.ts';
import { LiquidationReasonRef } from '../obligation/liquidation-reason.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { scenarioArgs } from './scenario.ts';

export const UnknownValueRef = builder.enumType('UnknownValue', {
  description: 'Why values are unknown.',
  values: {
    MARKET_UNREADABLE: { description: 'The market cannot be read.' },
    RESERVE_UNREADABLE: { description: 'A reserve cannot be read.' },
    PRICE_UNKNOWN: { description: 'A token has no price. In a what-if, pass one as `usd` in `prices`.' },
  } as const satisfies Record<UnknownValue, object>,
});

const SupposedPositionRef = builder.objectRef<SupposedPosition>('SupposedPosition').implement({
  description: 'A deposit or a debt under supposed prices and rates.',
  fields: (t) => ({
    ...presentReserveFields(t),
    priceUsd: t.expose('priceUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Supposed price of the token in USD. Null when unknown.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'The position with supposed interest, at the supposed price. Null when the reserve cannot be read.',
    }),
  }),
});

const SupposedLiquidationRef = builder.objectRef<SupposedLiquidation>('SupposedLiquidation').implement({
  description:
    'The largest liquidation that the lending program would accept at once, with its rounding. Several can follow each other.',
  fields: (t) => ({
    reason: t.expose('reason', { type: LiquidationReasonRef, description: 'Why the program accepts it.' }),
    repayReserveAddress: t.expose('repayReserve', {
      type: 'Address',
      description: 'Address of the reserve whose debt is repaid.',
    }),
    repayReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve whose debt is repaid. Null, with an error, when it cannot be read.',
      resolve: ({ repayReserve }, _args, { session }) => reserveLink(session, repayReserve),
    }),
    withdrawReserveAddress: t.expose('withdrawReserve', {
      type: 'Address',
      description: 'Address of the reserve whose collateral is seized.',
    }),
    withdrawReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve whose collateral is seized. Null, with an error, when it cannot be read.',
      resolve: ({ withdrawReserve }, _args, { session }) => reserveLink(session, withdrawReserve),
    }),
    repaid: t.expose('repaid', {
      type: TokenAmountRef,
      nullable: true,
      description: 'Debt that a liquidator can repay at once, at the supposed price. Null when unknown.',
    }),
    seized: t.expose('seized', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Collateral that the obligation loses, the bonus and the protocol\u2019s fee included. Null when unknown.',
    }),
    bonus: t.expose('bonus', {
      type: 'Decimal',
      description:
        'Bonus of the liquidator as a fraction of the repaid value, before the protocol\u2019s fee.',
    }),
  }),
});

const UNKNOWN = 'Null when a value is unknown: see `unknown`.';

export const ObligationWhatIfRef = builder.objectRef<ObligationWhatIf>('ObligationWhatIf').implement({
  description: 'An obligation under supposed prices and rates.',
  fields: (t) => {
    const figure = (
      name:
        | 'depositedUsd'
        | 'borrowedUsd'
        | 'netValueUsd'
        | 'badDebtUsd'
        | 'endedDebtUsd'
        | 'loanToValue'
        | 'liquidationLtv',
      description: string,
    ) => t.expose(name, { type: 'Decimal', nullable: true, description: `${description} ${UNKNOWN}` });
    return {
      obligation: t.expose('record', {
        type: ObligationRef,
        nullable: true,
        description: 'The obligation as it is now.',
      }),
      healthFactor: t.expose('healthFactor', {
        type: 'Decimal',
        nullable: true,
        description: `Liquidation limit / debt adjusted by borrow factors. At 1 and below the obligation can be liquidated. Null without debt of any value. ${UNKNOWN}`,
      }),
      loanToValue: figure('loanToValue', 'Adjusted debt / deposits that count for borrowing.'),
      liquidationLtv: figure('liquidationLtv', 'Liquidation limit / deposits that count for liquidation.'),
      liquidatable: t.exposeBoolean('liquidatable', {
        nullable: true,
        description: `Whether the debt reaches the liquidation limit, as the lending program compares them, or a debt has ended by then in a market that lets ended debts be liquidated. False when no collateral of any value is left to seize. ${UNKNOWN}`,
      }),
      liquidation: t.expose('liquidation', {
        type: SupposedLiquidationRef,
        nullable: true,
        description:
          'Largest liquidation that is possible at once. Null when the obligation cannot be liquidated, when the market has switched such liquidations off, and when a value is unknown.',
      }),
      depositedUsd: figure('depositedUsd', 'Total of deposits, in USD.'),
      borrowedUsd: figure('borrowedUsd', 'Total of debts, in USD.'),
      netValueUsd: figure('netValueUsd', 'Deposits less debts, in USD.'),
      badDebtUsd: figure('badDebtUsd', 'Debt that the deposits do not cover, in USD. 0 when they do.'),
      endedDebtUsd: figure(
        'endedDebtUsd',
        'Debts whose term, or reserve, has ended at the time of the scenario, in USD: `days` from now. 0 when none has.',
      ),
      deposits: t.expose('deposits', {
        type: [SupposedPositionRef],
        description: 'Deposits, at most 8. Empty when the market cannot be read.',
      }),
      borrows: t.expose('borrows', {
        type: [SupposedPositionRef],
        description: 'Debts, at most 5. Empty when the market cannot be read.',
      }),
      unknown: t.expose('unknown', {
        type: UnknownValueRef,
        nullable: true,
        description: 'Why totals and ratios are null. Null when all values are known.',
      }),
      unknownReserveAddress: t.expose('unknownReserve', {
        type: 'Address',
        nullable: true,
        description:
          'The first reserve whose value is unknown. Null when `unknown` is null or not of a reserve.',
      }),
    };
  },
});

builder.objectFields(ObligationRef, (t) => ({
  whatIf: t.field({
    type: ObligationWhatIfRef,
    nullable: true,
    description:
      'The obligation under supposed prices and rates: days of interest first, then the prices. Only the named tokens move; a fall of SOL does not move liquid-staking tokens unless they are named too. Null, with an error, when the scenario makes no sense (SHOCK_INVALID, SHOCK_MINT_UNKNOWN, RATE_INVALID, NUMBER_OUT_OF_RANGE).',
    args: scenarioArgs(t.arg),
    resolve: (record, args, { session }) => supposedObligation(session, record, args),
  }),
}));
