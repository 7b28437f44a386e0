import {
  isLiquidatableNow,
  liquidatableObligations,
} from '../../../services/obligations/liquidatable-list.ts';
import {
  DEFAULT_OBLIGATION_ORDER,
  listObligations,
  readIndexedPage,
} from '../../../services/obligations/list.ts';
import { obligationsOfMarket } from '../../../services/obligations/obligations-in-view.ts';
import { paginateLive } from '../../../services/paging/paging.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import { ObligationConnection } from '../../node-refs.ts';
import { selectionOf } from '../../selection.ts';
import { DirectionRef } from '../values/direction.ts';
import { ObligationTagRef } from './obligation-parts.ts';

const ObligationScopeInput = builder.inputType('ObligationScope', {
  description: 'Set of obligations to list. Pass exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    owner: t.field({ type: 'Address', description: 'Obligations of this wallet, read from the chain.' }),
    market: t.field({
      type: 'Address',
      description:
        'Obligations of a whole market, from the hourly index. Filter and order apply to the state at `indexedAt`; the obligations are read from the chain. Needs recorded history, except with the filter `liquidatable: true`.',
    }),
    addresses: t.field({
      type: ['Address'],
      description: 'Obligations with these addresses, read from the chain.',
    }),
  }),
});

const ObligationFilterInput = builder.inputType('ObligationFilter', {
  description: 'Filter for obligations. All conditions must hold.',
  fields: (t) => ({
    tag: t.field({ type: ObligationTagRef, description: 'Obligations with this purpose.' }),
    depositReserve: t.field({ type: 'Address', description: 'Obligations with a deposit in this reserve.' }),
    borrowReserve: t.field({ type: 'Address', description: 'Obligations with a debt to this reserve.' }),
    healthBelow: t.field({
      type: 'Decimal',
      description: 'Obligations with debt and a health factor below this value.',
    }),
    liquidatable: t.boolean({
      description:
        'Whether the lending program lets a liquidator act on the obligation at the prices of the View, provided that these are recent. For a market only `true`: the list then comes from the loan index, which is seconds old and needs no recorded history, and each obligation is read from the chain before it is shown.',
    }),
  }),
});

const ObligationOrderFieldRef = builder.enumType('ObligationOrderField', {
  description: 'Sort key for obligations.',
  values: {
    ADDRESS: { description: 'Address.' },
    HEALTH: { description: 'Health factor. Obligations without debt come last.' },
    DEPOSITED: { description: 'Deposits in USD.' },
    BORROWED: { description: 'Debts in USD.' },
    NET_VALUE: { description: 'Deposits less debts, in USD.' },
  } as const,
});

const ObligationOrderInput = builder.inputType('ObligationOrder', {
  description: 'Sort order of obligations.',
  fields: (t) => ({
    field: t.field({ type: ObligationOrderFieldRef, required: true, description: 'Sort key.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Sort direction.',
    }),
  }),
});

builder.objectField(ObligationConnection, 'indexedAt', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'Time of the market index that this list comes from. Null for a list read from the chain, and before the first index.',
    resolve: ({ indexedAt }) => indexedAt ?? null,
  }),
);

builder.queryField('obligations', (t) =>
  t.field({
    type: ObligationConnection,
    description: 'Obligations of a wallet, of a market, or with given addresses.',
    args: {
      scope: t.arg({
        type: ObligationScopeInput,
        required: true,
        description: 'Set of obligations to list.',
      }),
      filter: t.arg({
        type: ObligationFilterInput,
        description: 'Filter. Defaults to all obligations of the scope.',
      }),
      orderBy: t.arg({
        type: ObligationOrderInput,
        description: 'Sort order. Defaults to the address.',
      }),
      ...pageArgs(t.arg),
    },
    resolve: async (_root, { scope, filter, orderBy, ...page }, { platform, session, warnings }, info) => {
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_OBLIGATION_ORDER];
      const { market } = scope;
      if (market) {
        const query = { market, filter: which, order };
        const isLive = which.liquidatable === true;
        const indexed = isLive
          ? await liquidatableObligations(platform, session, query, page)
          : await obligationsOfMarket(platform, session, query, page);
        const selection = selectionOf(info);
        const wanted = selection.has('nodes') || selection.has('edges');
        const read = await readIndexedPage(
          session,
          indexed,
          wanted,
          (record) => !isLive || isLiquidatableNow(session, record),
        );
        warnings.leftOut(info, read.unreadable);
        return read.page;
      }
      return paginateLive(
        {
          key: ['obligations', scope, which, order],
          read: async () => {
            const { records, unreadable } = await listObligations(session, scope, which, order);
            warnings.leftOut(info, unreadable);
            return records;
          },
          idOf: ({ address }) => address,
        },
        page,
      );
    },
  }),
);
