import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** Most aliases and list items that the default limits admit. */
export const MOST = 100;
/** Aliases in a query that repeats a field. Fewer than admitted, because charges are linear and each copy of a builder simulates. */
const COPIES = 30;

/** A value of a scalar, as JSON. `place` is the path of the argument, such as `vault.address`; each copy may differ. */
export type ScalarValue = (type: string, place: string, copy: number) => unknown;

type Field = GraphQLField<unknown, unknown>;

/** A field on the way to another, and the type of the object that it leads to. */
interface Step {
  readonly field: Field;
  readonly into: GraphQLObjectType;
}

export interface ReachedField {
  readonly coordinate: string;
  readonly field: Field;
  /** From the root to the parent of the field. */
  readonly path: readonly Step[];
}

/** Every field of every object type that the root leads to, each by a shortest way. */
export function reachedFields(schema: GraphQLSchema, root: GraphQLObjectType): readonly ReachedField[] {
  const reached: ReachedField[] = [];
  const seen = new Set<string>([root.name]);
  const unvisited: { readonly type: GraphQLObjectType; readonly path: readonly Step[] }[] = [
    { type: root, path: [] },
  ];
  for (let next = unvisited.shift(); next !== undefined; next = unvisited.shift()) {
    for (const field of Object.values(next.type.getFields())) {
      reached.push({ coordinate: `${next.type.name}.${field.name}`, field, path: next.path });
      for (const into of objectsOf(schema, field)) {
        if (seen.has(into.name)) continue;
        seen.add(into.name);
        unvisited.push({ type: into, path: [...next.path, { field, into }] });
      }
    }
  }
  return reached;
}

function objectsOf(schema: GraphQLSchema, field: Field): readonly GraphQLObjectType[] {
  const type = getNamedType(field.type);
  if (isObjectType(type)) return [type];
  // Which type a node has depends on its id.
  return isAbstractType(type) && type.name !== 'Node' ? schema.getPossibleTypes(type) : [];
}

export interface FieldQueries {
  /** The way to the field, without the field. */
  readonly parent: string;
  /** The field once, with lists of `MOST` items. */
  readonly once: string;
  /** The field under `COPIES` aliases in one parent, each with its own arguments. */
  readonly aliased: string;
  /** The whole way under `COPIES` aliases at the root, each with its own arguments. */
  readonly rooted: string;
}

export interface QueryValues {
  /** For the arguments of the field. */
  readonly own: ScalarValue;
  /** For the arguments on the way. */
  readonly along: ScalarValue;
  /** Which member of a one-of input to pass to the field. */
  readonly choice: number;
}

export function queriesOf({ field, path }: ReachedField, given: QueryValues): FieldQueries {
  const own = (copy: number, alias = '', items = 1) => {
    const scalar = (type: string, place: string) => given.own(type, place, copy);
    return `${alias}${selected(field, { scalar, choice: given.choice, items })}`;
  };
  const along = (copy: number, innermost: string, rootAlias = '') =>
    wayTo(path, (type, place) => given.along(type, place, copy), innermost, rootAlias);
  const copies = (text: (copy: number, alias: string) => string) =>
    Array.from({ length: COPIES }, (_, i) => text(i, `a${i}: `)).join(' ');
  return {
    parent: `{ ${along(0, '__typename')} }`,
    once: `{ ${along(0, own(0, '', MOST))} }`,
    // Long, and most fields need neither.
    get aliased() {
      return `{ ${along(0, copies(own))} }`;
    },
    get rooted() {
      return `{ ${copies((copy, alias) => (path.length === 0 ? own(copy, alias) : along(copy, own(copy), alias)))} }`;
    },
  };
}

/** Selects some fields of the parent that a path leads to. They take no arguments. */
export function siblingsQuery(
  path: readonly Step[],
  fields: readonly ReachedField[],
  along: ScalarValue,
): string {
  const scalar = (type: string, place: string) => along(type, place, 0);
  const names = fields.map(({ field }) => selected(field, { scalar, choice: 0, items: 1 }));
  return `{ ${wayTo(path, scalar, ['__typename', ...names].join(' '))} }`;
}

/** A field with its arguments and, where it needs one, a selection. */
function selected(field: Field, values: Values): string {
  const inner = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${field.name}${argumentsOf(field, values)}${inner}`;
}

/** The selections from the root down to `innermost`. */
function wayTo(path: readonly Step[], scalar: Values['scalar'], innermost: string, rootAlias = ''): string {
  return path.reduceRight((below, { field, into }, i) => {
    const call = `${field.name}${argumentsOf(field, { scalar, choice: 0, items: 1 })}`;
    return `${i === 0 ? rootAlias : ''}${call} { ... on ${into.name} { ${below} } }`;
  }, innermost);
}

/** Number of one-of members that the arguments of a field leave to choose from; at least 1. */
export function choicesOf({ field }: ReachedField): number {
  return Math.max(1, ...field.args.map(({ type }) => membersOf(type)));
}

function membersOf(type: GraphQLInputType): number {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return 1;
  const fields = Object.values(named.getFields());
  return Math.max(
    named.isOneOf ? fields.length : 1,
    ...fields
      .filter((each) => named.isOneOf || isRequiredInputField(each))
      .map((each) => membersOf(each.type)),
  );
}

interface Values {
  readonly scalar: (type: string, place: string) => unknown;
  readonly choice: number;
  /** Items of each list. */
  readonly items: number;
}

/** Required arguments, and every list: the longer a list, the more there is to read. */
function argumentsOf({ name, args }: Field, values: Values): string {
  const given = args
    .filter((each) => isRequiredArgument(each) || isListType(each.type))
    .map((each) => `${each.name}: ${literal(each.type, `${name}.${each.name}`, values)}`);
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function literal(type: GraphQLInputType, place: string, values: Values): string {
  if (isNonNullType(type)) return literal(type.ofType, place, values);
  if (isListType(type)) {
    const items = Array.from({ length: values.items }, (_, i) =>
      literal(type.ofType, `${place}.${i}`, values),
    );
    return `[${items.join(', ')}]`;
  }
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (!isInputObjectType(type)) return JSON.stringify(values.scalar(type.name, place));
  const fields = Object.values(type.getFields());
  const chosen = values.choice % fields.length;
  const given = type.isOneOf ? fields.slice(chosen, chosen + 1) : fields.filter(isRequiredInputField);
  return `{ ${given.map((each) => `${each.name}: ${literal(each.type, `${place}.${each.name}`, values)}`).join(', ')} }`;
}
