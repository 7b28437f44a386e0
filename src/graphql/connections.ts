import type { ArgBuilder, OutputType, ShapeFromTypeParam } from '@pothos/core';
import type { Page } from '../services/paging.ts';
import { builder, type SchemaTypes } from './builder.ts';

type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** The four arguments of every list. */
export function pageArgs(t: ArgBuilder<BuilderTypes>) {
  return {
    first: t.int({ description: 'How many items from the start, at most 100. Default 20.' }),
    after: t.string({ description: 'Go on after this cursor.' }),
    last: t.int({ description: 'How many items from the end, at most 100.' }),
    before: t.string({ description: 'Stop before this cursor.' }),
  };
}

/** Defines `XEdge` and `XConnection` for a type. An item is the type's own value or the key that it is loaded by. */
export function connectionOf<Type extends OutputType<BuilderTypes>>(name: string, type: Type) {
  type Item = ShapeFromTypeParam<BuilderTypes, Type, true>;
  const edge = builder.objectRef<{ readonly cursor: string; readonly item: Item }>(`${name}Edge`).implement({
    description: `One ${name} in a list.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        nullable: false,
        description: 'Where this item stands, for `after` and `before`.',
      }),
      node: t.field({
        type,
        nullable: true,
        description: 'The item. Null, with an error, when it cannot be read.',
        resolve: ({ item }) => item as never,
      }),
    }),
  });
  return builder.objectRef<Page<Item>>(`${name}Connection`).implement({
    description: `A page of a list of ${name}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        nullable: false,
        description: 'The items with their cursors.',
        resolve: ({ items }) => [...items],
      }),
      nodes: t.field({
        type: [type],
        nullable: { list: false, items: true },
        description: 'The items alone. Null, with an error, where one cannot be read.',
        resolve: ({ items }) => items.map(({ item }) => item) as never,
      }),
      pageInfo: t.field({
        type: builder.pageInfoRef(),
        nullable: false,
        description: 'Where the page stands in its list.',
        resolve: ({ items, hasNextPage, hasPreviousPage }) => ({
          hasNextPage,
          hasPreviousPage,
          startCursor: items[0]?.cursor ?? null,
          endCursor: items.at(-1)?.cursor ?? null,
        }),
      }),
      totalCount: t.int({
        nullable: true,
        description: 'Length of the whole list. Null where counting would need a scan.',
        resolve: ({ totalCount }) => totalCount,
      }),
    }),
  });
}
