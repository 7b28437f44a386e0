import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** Literals for arguments: by `Type.field.argument`, by the argument's name, or by its scalar. Undefined: unknown. */
export type Literals = (place: string, name: string, scalar: string) => string | undefined;

/** Items of each list that can be limited. */
const FIRST = 2;

/** The selections of a type, in the order of the query. Each is written once everything below it is known. */
interface Selection {
  readonly type: GraphQLNamedOutputType;
  readonly parts: (() => string)[];
}

/**
 * A query of one root field with every field of every object type below it, once: where a type occurs first, nearest to the
 * root. Elsewhere only its `__typename` is selected.
 */
export function everyFieldBelow(schema: GraphQLSchema, root: string, literals: Literals): string {
  const field = schema.getQueryType()?.getFields()[root];
  if (field === undefined) throw new Error(`the schema has no root field ${root}`);
  const seen = new Set<string>();
  const queue: Selection[] = [];
  const select = (type: GraphQLNamedOutputType): (() => string) => {
    const parts: (() => string)[] = [() => '__typename'];
    queue.push({ type, parts });
    return () => `{ ${parts.map((part) => part()).join(' ')} }`;
  };
  const below = select(getNamedType(field.type));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { type, parts } = next;
    if (isObjectType(type)) addFields(type, parts);
    else if (isAbstractType(type)) {
      for (const possible of schema.getPossibleTypes(type)) {
        const inner = select(possible);
        parts.push(() => `... on ${possible.name} ${inner()}`);
      }
    }
  }
  return `{ ${root}${argumentsOf('Query', field, literals)} ${below()} }`;

  function addFields(type: GraphQLObjectType, parts: (() => string)[]): void {
    if (seen.has(type.name)) return;
    seen.add(type.name);
    for (const each of Object.values(type.getFields())) {
      const head = `${type.name}_${each.name}: ${each.name}${argumentsOf(type.name, each, literals)}`;
      const result = getNamedType(each.type);
      const inner = isLeafType(result) ? null : select(result);
      parts.push(() => (inner === null ? head : `${head} ${inner()}`));
    }
  }
}

function argumentsOf(type: string, field: GraphQLField<unknown, unknown>, literals: Literals): string {
  const given = field.args.flatMap((argument) => {
    const value = argumentOf(`${type}.${field.name}`, argument, literals);
    return value === undefined ? [] : [`${argument.name}: ${value}`];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function argumentOf(place: string, argument: GraphQLArgument, literals: Literals): string | undefined {
  const at = `${place}.${argument.name}`;
  if (isRequiredArgument(argument)) return literal(at, argument.name, argument.type, literals);
  if (argument.name === 'first') return String(FIRST);
  return literals(at, '', '');
}

function literal(place: string, name: string, type: GraphQLInputType, literals: Literals): string {
  if (isNonNullType(type)) return literal(place, name, type.ofType, literals);
  const known = literals(place, name, getNamedType(type).name);
  if (known !== undefined) return isListType(type) && !known.startsWith('[') ? `[${known}]` : known;
  if (isListType(type)) return `[${literal(place, name, type.ofType, literals)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    const parts = given.map(
      (each) => `${each.name}: ${literal(`${place}.${each.name}`, each.name, each.type, literals)}`,
    );
    return `{ ${parts.join(', ')} }`;
  }
  throw new Error(`what is a value of ${place}, a ${String(type)}?`);
}
