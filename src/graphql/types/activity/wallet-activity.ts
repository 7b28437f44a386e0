import type { ActivityEntry } from '../../../services/history/activity/activity-entry.ts';
import type { ActivityFilter } from '../../../services/history/activity/activity-filter.ts';
import { activityPage } from '../../../services/history/activity/activity-page.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { WalletRef } from '../../node-refs.ts';
import { addCompleteField, NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { ActivityEntryRef } from './activity-entry.ts';
import { ActivityKindRef, ActivityProductRef } from './activity-kinds.ts';

const ActivityFilterInput = builder.inputType('ActivityFilter', {
  description: 'Filter of the activity of a wallet. An entry passes when it meets every condition given.',
  fields: (t) => ({
    kinds: t.field({ type: [ActivityKindRef], description: 'Only entries of these kinds.' }),
    products: t.field({
      type: [ActivityProductRef],
      description: 'Only entries of these products. UNREAD transactions belong to any.',
    }),
    vaults: t.field({
      type: ['Address'],
      description: 'Only entries of these vaults and of their farms. With `markets`, those of either.',
    }),
    markets: t.field({
      type: ['Address'],
      description: 'Only entries of these lending markets. With `vaults`, those of either.',
    }),
    tokens: t.field({
      type: ['Address'],
      description:
        'Only entries of vaults and reserves of these mints, and stakes and rewards of them. Share mints of vaults are mints, too.',
    }),
    range: t.field({
      type: TimeRangeInput,
      description:
        'Only entries of this time. The time of an UNREAD transaction is unknown, so it is never left out.',
    }),
  }),
});

const ActivityConnection = connectionOf<typeof ActivityEntryRef>('ActivityEntry', ActivityEntryRef);

addCompleteField<ActivityEntry>(ActivityConnection as never);

builder.objectFields(WalletRef, (t) => ({
  activity: t.field({
    type: ActivityConnection,
    nullable: true,
    description: `Everything that the wallet did in vaults, lending, farms and withdraw queues, and liquidations of its obligations, newest first. Entries are not counted: \`totalCount\` is null. Orders, such as stop-losses and borrow orders, are recorded when they are filled; placing or cancelling one moves no tokens and is not listed. Nor are liquidations and repayments that the wallet carried out for others. The first request for a wallet reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      filter: t.arg({ type: ActivityFilterInput, description: 'Filter. Defaults to all entries.' }),
      ...pageArgs(t.arg),
    },
    resolve: async ({ address }, { filter, ...page }, { platform, session }) =>
      (await activityPage(platform, session, address, (filter ?? {}) as ActivityFilter, page)) as never,
  }),
}));
