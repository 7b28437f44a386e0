import { inclusionOf } from '@sluice/graphql-executor';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../services/paging/paging.ts';
import { backtestCost } from './backtest-cost.ts';
import { scenarioCost } from './scenario-cost.ts';
import { searchedWallets } from './searched-wallets.ts';
import { seriesPoints } from './series-points.ts';
import {
  DEFAULT_LIST_SIZE,
  FOLD_COSTS,
  FREE_FIELDS,
  LIST_SIZES,
  READ_COSTS,
  READS_PER_ITEM,
  SCALARS_PER_COST,
  SEARCH_COST,
} from './weights.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** The size of a query. Aliases, directives and argument lists are counted once where they are written. */
export interface QueryMeasure {
  readonly cost: number;
  /** Levels of nested fields; introspection fields do not count. */
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly longestList: number;
}

interface Query {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Coerced, with defaults. */
  readonly variables: Variables;
}

/** The cost of a selection: a fixed part, and in a connection or series a part for each item. */
interface SelectionCost {
  readonly once: number;
  readonly perItem: number;
  /** Scalars of the object itself. */
  readonly scalars?: number;
  readonly depth: number;
}

const NOTHING: SelectionCost = { once: 0, perItem: 0, depth: 0 };

/** Measures a valid query in one pass; each fragment is visited once, however often it is spread. */
export function measureQuery(query: Query): QueryMeasure {
  const walk = new Walk(query);
  const root = query.schema.getRootType(query.operation.operation);
  const { once, depth } =
    root === undefined || root === null ? NOTHING : walk.selections(root, query.operation.selectionSet);
  const { aliases, directives, longestList } = walk;
  const cost = Math.min(once + SEARCH_COST * walk.searchedWallets.size, Number.MAX_SAFE_INTEGER);
  return { cost, depth, aliases, directives, longestList };
}

/** The length of the longest array in a JSON value at any depth. */
export function longestArray(value: unknown): number {
  let longest = 0;
  const unvisited: unknown[] = [value];
  while (unvisited.length > 0) {
    const each = unvisited.pop();
    if (typeof each !== 'object' || each === null) continue;
    if (Array.isArray(each)) longest = Math.max(longest, each.length);
    for (const inner of Object.values(each)) unvisited.push(inner);
  }
  return longest;
}

class Walk {
  aliases = 0;
  directives = 0;
  longestList = 0;
  readonly searchedWallets = new Set<string>();
  readonly #schema: GraphQLSchema;
  readonly #variables: Variables;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, SelectionCost>();

  constructor({ schema, document, variables }: Query) {
    this.#schema = schema;
    this.#variables = variables;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition);
    }
  }

  selections(type: GraphQLCompositeType, { selections }: SelectionSetNode): SelectionCost {
    let [once, perItem, scalars, depth] = [0, 0, 0, 0];
    for (const selection of selections) {
      this.directives += selection.directives?.length ?? 0;
      if (inclusionOf(selection, this.#variables) === false) continue;
      const part = this.#selection(type, selection);
      once += part.once;
      perItem += part.perItem;
      scalars += part.scalars ?? 0;
      depth = Math.max(depth, part.depth);
    }
    return { once, perItem, scalars, depth };
  }

  /** The selections of an object, with its many scalars. */
  #object(type: GraphQLCompositeType, selectionSet: SelectionSetNode): SelectionCost {
    const { once, perItem, scalars = 0, depth } = this.selections(type, selectionSet);
    return { once: once + Math.floor(scalars / SCALARS_PER_COST), perItem, depth };
  }

  #selection(type: GraphQLCompositeType, node: SelectionNode): SelectionCost {
    if (node.kind === Kind.FIELD) return this.#field(type, node);
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#fragment(node.name.value);
    return this.selections(this.#typeNamed(node.typeCondition?.name.value) ?? type, node.selectionSet);
  }

  #fragment(name: string): SelectionCost {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    // Validation rejects cycles; setting the entry first ends the recursion anyway.
    this.#measured.set(name, NOTHING);
    const fragment = this.#fragments.get(name);
    const type = this.#typeNamed(fragment?.typeCondition.name.value);
    if (fragment === undefined || type === undefined) return NOTHING;
    this.directives += fragment.directives?.length ?? 0;
    const part = this.selections(type, fragment.selectionSet);
    this.#measured.set(name, part);
    return part;
  }

  #field(parent: GraphQLCompositeType, node: FieldNode): SelectionCost {
    const name = node.name.value;
    if (node.alias !== undefined && node.alias.value !== name) this.aliases += 1;
    for (const { value } of node.arguments ?? []) this.#measureLists(value);
    const field = fieldOf(this.#schema, parent, name);
    const coordinate = `${parent.name}.${name}`;
    if (field === undefined || node.selectionSet === undefined) {
      return { once: READ_COSTS[coordinate] ?? 0, perItem: 0, scalars: 1, depth: 1 };
    }
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) return NOTHING;
    for (const wallet of searchedWallets(coordinate, (argument) => this.#coerced(field, node, argument)))
      this.searchedWallets.add(wallet);
    const inner = this.#object(type, node.selectionSet);
    const argumentOf = (argument: string) => this.#coerced(field, node, argument);
    const reads =
      (READ_COSTS[coordinate] ?? READ_COSTS[`${parent.name}.*`] ?? 0) +
      scenarioCost(coordinate, argumentOf) +
      backtestCost(coordinate, argumentOf);
    const depth = type.name.startsWith('__') ? 0 : inner.depth + 1;
    if (isConnection(parent) && (name === 'nodes' || name === 'edges')) {
      // An edge and its node are one item. Without the node it is one too: computing its cursor takes as long.
      const item = name === 'nodes' ? inner.once + 1 : Math.max(inner.once, 1);
      return { once: 0, perItem: item, depth };
    }
    if (isSeries(parent) && name === 'points') return { once: 0, perItem: inner.once + 1, depth };
    if (isSeries(type)) {
      const hasIntervals = field.args.some((argument) => argument.name === 'interval');
      const points = seriesPoints(hasIntervals, (argument) => this.#coerced(field, node, argument));
      const perPoint = Math.max(inner.perItem, 1) + (FOLD_COSTS[coordinate] ?? 0);
      return { once: reads + 1 + inner.once + points * perPoint, perItem: 0, depth };
    }
    if (isConnection(type)) {
      return { once: reads + 1 + inner.once + this.#pageSize(node) * inner.perItem, perItem: 0, depth };
    }
    // A subscription with several subjects sends one event for each of them.
    const isMany = isListType(getNullableType(field.type)) || LIST_SIZES[coordinate] !== undefined;
    const items = isMany ? this.#listSize(coordinate, node) : 1;
    const own = FREE_FIELDS.has(coordinate) ? 0 : 1;
    const times = READS_PER_ITEM.has(coordinate) ? items : 1;
    return { once: times * reads + items * (own + inner.once), perItem: 0, depth };
  }

  #measureLists(value: ValueNode): void {
    if (value.kind === Kind.LIST) {
      this.longestList = Math.max(this.longestList, value.values.length);
      for (const each of value.values) this.#measureLists(each);
    } else if (value.kind === Kind.OBJECT) {
      for (const field of value.fields) this.#measureLists(field.value);
    }
  }

  #pageSize(node: FieldNode): number {
    const size = this.#argument(node, 'first') ?? this.#argument(node, 'last');
    return typeof size === 'number' ? Math.min(Math.max(size, 0), MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE;
  }

  #listSize(coordinate: string, node: FieldNode): number {
    const size = LIST_SIZES[coordinate] ?? DEFAULT_LIST_SIZE;
    if (typeof size === 'number') return size;
    const given = this.#argument(node, size.argument);
    if (typeof given === 'number') return Math.max(given, 0);
    return Array.isArray(given) ? given.length : DEFAULT_LIST_SIZE;
  }

  /** The value of a numeric or list argument; of a literal list only the length is set. */
  #argument(node: FieldNode, name: string): unknown {
    const value = node.arguments?.find((each) => each.name.value === name)?.value;
    if (value?.kind === Kind.VARIABLE) return this.#variables[value.name.value] ?? undefined;
    if (value?.kind === Kind.INT) return Number(value.value);
    return value?.kind === Kind.LIST ? new Array(value.values.length) : undefined;
  }

  /** The value of an argument as the resolver gets it; undefined when it is not given or invalid. */
  #coerced(field: GraphQLField<unknown, unknown>, node: FieldNode, name: string): unknown {
    const argument = field.args.find((each) => each.name === name);
    const given = node.arguments?.find((each) => each.name.value === name);
    return argument && given ? valueFromAST(given.value, argument.type, this.#variables) : undefined;
  }

  #typeNamed(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** Whether a type is a Relay connection. */
export function isConnection(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.name.endsWith('Connection') && type.getFields().pageInfo !== undefined;
}

/** Whether a type is a recorded series; its field takes `maxPoints`. */
function isSeries(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.name.endsWith('History') && type.getFields().points !== undefined;
}
