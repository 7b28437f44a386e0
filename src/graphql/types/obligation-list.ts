import { indexedObligations } from '../../services/history/obligation-index.ts';
import { DEFAULT_OBLIGATION_ORDER, listObligations } from '../../services/obligation-lists.ts';
import { paginateLive } from '../../services/paging.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import { ObligationConnection } from '../node-refs.ts';
import { DirectionRef } from './direction.ts';
import { ObligationTagRef } from './obligation-parts.ts';

const ObligationScopeInput = builder.inputType('ObligationScope', {
  description: 'Whose obligations: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    owner: t.field({ type: 'Address', description: 'Of this wallet, read now.' }),
    market: t.field({
      type: 'Address',
      description:
        'Of a whole market, from the hourly index: filter and order are as of `indexedAt`, the obligations themselves are read now. Needs recorded history.',
    }),
    addresses: t.field({ type: ['Address'], description: 'These, read now.' }),
  }),
});

const ObligationFilterInput = builder.inputType('ObligationFilter', {
  description: 'Which obligations; all conditions must hold.',
  fields: (t) => ({
    tag: t.field({ type: ObligationTagRef, description: 'For this purpose.' }),
    depositReserve: t.field({ type: 'Address', description: 'With a deposit in this reserve.' }),
    borrowReserve: t.field({ type: 'Address', description: 'With a debt to this reserve.' }),
    healthBelow: t.field({ type: 'Decimal', description: 'In debt, with a health factor below this.' }),
  }),
});

const ObligationOrderFieldRef = builder.enumType('ObligationOrderField', {
  description: 'What obligations are ordered by.',
  values: {
    ADDRESS: { description: 'Address.' },
    HEALTH: { description: 'Health factor; those without debt last.' },
    DEPOSITED: { description: 'USD deposited.' },
    BORROWED: { description: 'USD borrowed.' },
    NET_VALUE: { description: 'USD deposited less USD borrowed.' },
  } as const,
});

const ObligationOrderInput = builder.inputType('ObligationOrder', {
  description: 'How obligations are ordered.',
  fields: (t) => ({
    field: t.field({ type: ObligationOrderFieldRef, required: true, description: 'What to order by.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Which way.',
    }),
  }),
});

builder.objectField(ObligationConnection, 'indexedAt', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'When the index of a whole market was made that this list is from. Null for a list that was read now, and before the first index.',
    resolve: ({ indexedAt }) => indexedAt ?? null,
  }),
);

builder.queryField('obligations', (t) =>
  t.field({
    type: ObligationConnection,
    nullable: false,
    description: 'Obligations of a wallet, of a market, or by their addresses.',
    args: {
      scope: t.arg({ type: ObligationScopeInput, required: true, description: 'Whose obligations.' }),
      filter: t.arg({ type: ObligationFilterInput, description: 'Which of them. All when left out.' }),
      orderBy: t.arg({
        type: ObligationOrderInput,
        description: 'In which order. By address when left out.',
      }),
      ...pageArgs(t.arg),
    },
    resolve: async (_root, { scope, filter, orderBy, ...page }, { platform, session }) => {
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_OBLIGATION_ORDER];
      const { market } = scope;
      if (market) {
        return await indexedObligations(platform, session, { market, filter: which, order }, page);
      }
      const found = await listObligations(session, scope, which, order);
      return paginateLive(['obligations', scope, which, order], found, ({ address }) => address, page);
    },
  }),
);
