import type { ArgBuilder, OutputType, ShapeFromTypeParam } from '@pothos/core';
import { type Page, pageEnds } from '../services/paging/paging.ts';
import { builder, type SchemaTypes } from './builder.ts';

type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** The pagination arguments of every list. */
export function pageArgs(t: ArgBuilder<BuilderTypes>) {
  return {
    first: t.int({ description: 'Number of items from the start of the list, at most 100. Defaults to 20.' }),
    after: t.string({ description: 'Return items after this cursor.' }),
    last: t.int({ description: 'Number of items from the end of the list, at most 100.' }),
    before: t.string({ description: 'Return items before this cursor.' }),
  };
}

/** The pagination arguments of a list that is read forwards only. */
export function forwardArgs(t: ArgBuilder<BuilderTypes>) {
  return {
    first: t.int({ description: 'Number of items, at most 100. Defaults to 20.' }),
    after: t.string({ description: 'Return items after this cursor.' }),
  };
}

const LEFT_OUT =
  'An account that cannot be read is left out and named in `extensions.warnings`, with the path of the list.';

/** Defines `XEdge` and `XConnection` for a type. An item is the object itself: all of them can be read. */
export function connectionOf<Type extends OutputType<BuilderTypes>>(name: string, type: Type) {
  type Item = ShapeFromTypeParam<BuilderTypes, Type, true>;
  const edge = builder.objectRef<{ readonly cursor: string; readonly item: Item }>(`${name}Edge`).implement({
    description: `One ${name} in a list, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Cursor of this item, for `after` and `before`.' }),
      node: t.field({ type, description: 'The item.', resolve: ({ item }) => item as never }),
    }),
  });
  return builder.objectRef<Page<Item>>(`${name}Connection`).implement({
    description: `One page of a list of ${name}.`,
    fields: (t) => ({
      edges: t.expose('items', { type: [edge], description: `The items with their cursors. ${LEFT_OUT}` }),
      nodes: t.field({
        type: [type],
        description: `The items without their cursors. ${LEFT_OUT}`,
        resolve: ({ items }) => items.map(({ item }) => item) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        description: 'The position of this page in its list.',
        resolve: (page) => ({
          hasNextPage: page.hasNextPage,
          hasPreviousPage: page.hasPreviousPage,
          ...(page.ends ?? pageEnds(page)),
        }),
      }),
      totalCount: t.exposeInt('totalCount', {
        nullable: true,
        description:
          'Number of items in the whole list. Accounts that cannot be read are not counted, except in a list from an index. Null where counting would need a full scan.',
      }),
    }),
  });
}
