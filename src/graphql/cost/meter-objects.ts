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
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { GraphQLContext } from '../context.ts';
import { isConnection } from './measure.ts';

type Resolver = GraphQLFieldResolver<unknown, GraphQLContext>;

/** Fields of the objects of a list that are resolved in one turn of the event loop. */
const FIELDS_PER_TURN = 5_000;

const metered = new WeakSet<GraphQLSchema>();

/**
 * Wraps the resolver of every field that returns objects, so that they are drawn from the account of the request. Leaf
 * fields are not wrapped; neither are edges, since an edge and its node count as one object.
 */
export function meterObjects(schema: GraphQLSchema): void {
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
    const pause = context.objects.take(1, info);
    if (pause === null) return resolve(source, args, context, info);
    return pause.then(() => {
      context.objects.throwIfLate();
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
  if (!Array.isArray(items)) return items;
  const pause = context.objects.take(items.length, info);
  if (pause === null) return inTurns(items, context, info);
  return pause.then(() => {
    context.objects.throwIfLate();
    return inTurns(items, context, info);
  });
}

/**
 * Leaf fields are not metered, but a long list of objects with many of them takes long to serialize. Objects after the
 * first thousands of fields become promises, which later turns resolve.
 */
function inTurns(items: readonly unknown[], { objects }: GraphQLContext, info: GraphQLResolveInfo): unknown {
  const fields = info.fieldNodes.reduce((sum, node) => sum + fieldsIn(node.selectionSet, info), 0);
  const perTurn = Math.max(1, Math.floor(FIELDS_PER_TURN / Math.max(1, fields)));
  if (items.length <= perTurn || items.some((item) => item instanceof Promise)) return items;
  let turn = Promise.resolve();
  return items.map((item, i) => {
    if (i < perTurn) return item;
    if (i % perTurn === 0) turn = turn.then(() => objects.nextTurn());
    return turn.then(() => item);
  });
}

const counted = new WeakMap<SelectionSetNode, number>();

/** Fields of a selection, with those of its fragments and of nested objects. */
function fieldsIn(
  selection: SelectionSetNode | undefined,
  info: Pick<GraphQLResolveInfo, 'fragments'>,
): number {
  if (selection === undefined) return 0;
  const known = counted.get(selection);
  if (known !== undefined) return known;
  let count = 0;
  for (const each of selection.selections) {
    if (each.kind === Kind.FIELD) count += 1;
    const inner = each.kind === Kind.FRAGMENT_SPREAD ? info.fragments[each.name.value] : each;
    count += fieldsIn(inner?.selectionSet, info);
  }
  counted.set(selection, count);
  return count;
}
