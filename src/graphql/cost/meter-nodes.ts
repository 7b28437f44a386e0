import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { GraphQLContext } from '../context.ts';
import { isConnection } from './measure.ts';

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

const metered = new WeakSet<GraphQLSchema>();

/**
 * Wraps the resolver of every field that returns objects, so that they are taken from the budget of the request. Leaf
 * fields are not wrapped; neither are edges, since an edge and its node count as one object.
 */
export function meterNodes(schema: GraphQLSchema): void {
  if (metered.has(schema)) return;
  metered.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (isLeafType(getNamedType(field.type)) || (field.name === 'edges' && isConnection(type))) continue;
      const resolve: Resolver = field.resolve ?? defaultFieldResolver;
      field.resolve = isListType(getNullableType(field.type)) ? meteredList(resolve) : meteredObject(resolve);
    }
  }
}

function meteredObject(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const pause = context.budget.take(1, info);
    if (pause === null) return resolve(source, args, context, info);
    return pause.then(() => {
      throwIfLate(context);
      return resolve(source, args, context, info);
    });
  };
}

function meteredList(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const items = resolve(source, args, context, info);
    return items instanceof Promise
      ? items.then((settled) => takeItems(settled, context, info))
      : takeItems(items, context, info);
  };
}

function takeItems(items: unknown, context: GraphQLContext, info: GraphQLResolveInfo): unknown {
  const pause = Array.isArray(items) ? context.budget.take(items.length, info) : null;
  if (pause === null) return items;
  return pause.then(() => {
    throwIfLate(context);
    return items;
  });
}

/** Reads observe the deadline on their own; an execution that reads nothing has to check it here. */
function throwIfLate({ budget, session: { signal } }: GraphQLContext): void {
  if (signal.aborted) budget.abandon(signal.reason);
  budget.signal.throwIfAborted();
}
