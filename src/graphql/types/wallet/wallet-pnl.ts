import { checkedMaxPoints, DEFAULT_MAX_POINTS, MAX_POINTS } from '../../../services/history/series.ts';
import {
  type PnlPart,
  type WalletPnlHistory,
  type WalletPnlPoint,
  walletPnlHistory,
} from '../../../services/history/wallet-pnl/wallet-pnl.ts';
import { rangeOrLast } from '../../../services/request/time-range.ts';
import { builder } from '../../builder.ts';
import { WalletRef } from '../../node-refs.ts';
import { NO_HISTORY } from '../history/history-fields.ts';
import { PeriodRef, TimeRangeInput } from '../history/time.ts';
import { ValueRef } from './wallet.ts';

const PnlPartRef = builder.objectRef<PnlPart>('PnlPart').implement({
  description: 'Value, net investment and profit of several positions at one time.',
  fields: (t) => ({
    value: t.expose('value', { type: ValueRef, description: 'Value of the positions, net of debt.' }),
    investment: t.expose('investment', {
      type: ValueRef,
      description: 'Paid in less paid out so far, each at the prices of its time.',
    }),
    pnl: t.expose('pnl', { type: ValueRef, description: '`value` - `investment`, exactly.' }),
  }),
});

const WalletPnlPointRef = builder.objectRef<WalletPnlPoint>('WalletPnlPoint').implement({
  description:
    'Profit and loss of a wallet since its first transaction, up to one time. Values are null where a price or rate is unknown.',
  fields: (t) => ({
    timestamp: t.expose('time', { type: 'DateTime', description: 'Time of the point.' }),
    vaults: t.expose('vaults', { type: PnlPartRef, description: 'All vault positions.' }),
    lending: t.expose('lending', {
      type: PnlPartRef,
      description: 'All open and closed obligations. A liquidation is neither paid in nor out.',
    }),
    total: t.expose('total', { type: PnlPartRef, description: '`vaults` + `lending`, exactly.' }),
  }),
});

const WalletPnlHistoryRef = builder.objectRef<WalletPnlHistory>('WalletPnlHistory').implement({
  description: 'Profit and loss of a wallet over time: the sums of the histories of its positions.',
  fields: (t) => ({
    points: t.expose('points', {
      type: [WalletPnlPointRef],
      description:
        'Points in ascending order of time: each UTC midnight since the first transaction, and the end of the range, or now.',
    }),
    complete: t.exposeBoolean('complete', {
      description:
        'Whether all transactions since the wallet\u2019s first one have been read from the chain and account for everything withdrawn, and no position is left out because its account cannot be read.',
    }),
    priced: t.exposeBoolean('priced', { description: 'Whether no value of the points is null.' }),
    truncated: t.exposeBoolean('truncated', {
      description:
        'Whether the range has older points than the newest `maxPoints`, which are the ones returned.',
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  pnlHistory: t.field({
    type: WalletPnlHistoryRef,
    nullable: true,
    description: `Profit and loss of all vault positions and obligations together, by UTC day. Rewards and balances of the wallet are not included. ${NO_HISTORY}`,
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description:
          'Time range of the points. Earlier transactions still count towards the values. Defaults to the whole history up to now. Cannot be combined with `last`.',
      }),
      last: t.arg({
        type: PeriodRef,
        description: 'The period of the points, up to now. Cannot be combined with `range`.',
      }),
      maxPoints: t.arg.int({
        defaultValue: DEFAULT_MAX_POINTS,
        description: `Maximum number of points, from 1 to ${MAX_POINTS}: the newest ones are returned.`,
      }),
    },
    resolve: ({ address }, { range, last, maxPoints }, { platform, session }) =>
      walletPnlHistory(
        platform,
        session,
        address,
        rangeOrLast(session.view, range, last),
        checkedMaxPoints(maxPoints),
      ),
  }),
}));
