import {
  type MarketAutodeleverage,
  marketAutodeleverage,
  type ReserveAutodeleverage,
  reserveAutodeleverage,
} from '../../../services/reserves/autodeleverage.ts';
import {
  type WithdrawalCap,
  type WithdrawalCaps,
  withdrawalCaps,
} from '../../../services/reserves/withdrawal-caps.ts';
import { builder } from '../../builder.ts';
import { MarketRef, ReserveRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const WithdrawalCapRef = builder.objectRef<WithdrawalCap>('WithdrawalCap').implement({
  description:
    'A limit on the net outflow of a reserve in an interval, as the lending program stores it. `capacity` of the reserve says what it leaves now.',
  fields: (t) => ({
    capacity: t.expose('capacity', {
      type: TokenAmountRef,
      description: 'Maximum net outflow in an interval. Without effect while `intervalSeconds` is 0.',
    }),
    currentTotal: t.expose('currentTotal', {
      type: TokenAmountRef,
      description:
        'Net outflow in the stored interval, negative after a net inflow. Once that interval is over, the next action starts again from 0.',
    }),
    intervalSeconds: t.expose('intervalSeconds', {
      type: 'U64',
      description: 'Length of the interval in seconds. 0 when there is no limit.',
    }),
    intervalStartedAt: t.expose('intervalStartedAt', {
      type: 'DateTime',
      description: 'Start of the stored interval. 1970-01-01 when none has begun.',
    }),
  }),
});

const WithdrawalCapsRef = builder.objectRef<WithdrawalCaps>('WithdrawalCaps').implement({
  description: 'Limits on the net outflow of a reserve per interval.',
  fields: (t) => ({
    deposit: t.expose('deposit', { type: WithdrawalCapRef, description: 'On withdrawals of deposits.' }),
    debt: t.expose('debt', {
      type: WithdrawalCapRef,
      description: 'On borrows; repayments count as inflow.',
    }),
  }),
});

const ReserveAutodeleverageRef = builder.objectRef<ReserveAutodeleverage>('ReserveAutodeleverage').implement({
  description:
    'Settings with which the market can make borrowers reduce loans that use a reserve: after a margin call, they can be liquidated although they are healthy.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether it is enabled for the reserve. The market must enable it too.',
    }),
    marginCallSeconds: t.expose('marginCallSeconds', {
      type: 'U64',
      description: 'Seconds from a margin call until loans can be liquidated.',
    }),
    thresholdDecreaseBpsPerDay: t.expose('thresholdDecreaseBpsPerDay', {
      type: 'U64',
      description:
        'Basis points per day by which the loan-to-value at which loans can be liquidated then falls.',
    }),
    bonusIncreaseBpsPerDay: t.expose('bonusIncreaseBpsPerDay', {
      type: 'U64',
      description: 'Basis points per day by which the liquidation bonus then grows.',
    }),
    minBonusBps: t.exposeInt('minBonusBps', {
      description: 'Liquidation bonus at the beginning, in basis points.',
    }),
  }),
});

const MarketAutodeleverageRef = builder.objectRef<MarketAutodeleverage>('MarketAutodeleverage').implement({
  description: 'Settings with which a market can make borrowers reduce their loans.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { description: 'Whether it is enabled in the market.' }),
    individualMarginCallSeconds: t.expose('individualMarginCallSeconds', {
      type: 'U64',
      description: 'Seconds from a margin call on a single loan until it can be liquidated.',
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  withdrawalCaps: t.field({
    type: WithdrawalCapsRef,
    description: 'Limits on withdrawing and borrowing per interval.',
    resolve: (reserve, _args, { session }) => withdrawalCaps(session.view, reserve),
  }),
  autodeleverage: t.field({
    type: ReserveAutodeleverageRef,
    description: 'Settings of automatic deleveraging. `Market.autodeleverage` has those of the market.',
    resolve: (reserve) => reserveAutodeleverage(reserve),
  }),
}));

builder.objectFields(MarketRef, (t) => ({
  autodeleverage: t.field({
    type: MarketAutodeleverageRef,
    description: 'Settings of automatic deleveraging. Each reserve has its own too.',
    resolve: (market) => marketAutodeleverage(market),
  }),
}));
