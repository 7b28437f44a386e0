import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  type OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

/** One selected field on the way to another. */
export interface Step {
  /** The type on which the field is selected. */
  readonly parent: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
}

/** A field of the schema with ways to select it: each begins at a root field and ends with the field itself. */
export interface SchemaField {
  /** `Type.field`. */
  readonly name: string;
  /** Whether it is a scalar without arguments. */
  readonly isPlain: boolean;
  readonly takesArguments: boolean;
  readonly paths: readonly Path[];
}

export interface Path {
  readonly operation: OperationTypeNode;
  readonly steps: readonly Step[];
}

const PATHS_PER_TYPE = 6;
const PATHS_PER_ROOT_FIELD = 2;
/** The gateway permits 16 levels; those below the field need some. */
const MAX_STEPS = 9;

/** Every field that operations can select; of introspection, its root fields. Plain scalars come last. */
export function schemaFields(schema: GraphQLSchema, operations: readonly OperationTypeNode[]): SchemaField[] {
  const fields = [...pathsToTypes(schema, operations)].flatMap(([type, found]) =>
    fieldsOf(schema, type).map((field) => ({
      name: `${type.name}.${field.name}`,
      takesArguments: field.args.length > 0,
      isPlain: field.args.length === 0 && isLeafType(getNamedType(field.type)),
      paths: found.map(({ operation, steps }) => ({ operation, steps: [...steps, { parent: type, field }] })),
    })),
  );
  return fields.sort((a, b) => Number(a.isPlain) - Number(b.isPlain));
}

function fieldsOf(schema: GraphQLSchema, type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  const introspection = type === schema.getQueryType() ? [SchemaMetaFieldDef, TypeMetaFieldDef] : [];
  return [...Object.values(type.getFields()), ...introspection];
}

/** The shortest paths to every object type, from different root fields where there are several. */
function pathsToTypes(
  schema: GraphQLSchema,
  operations: readonly OperationTypeNode[],
): Map<GraphQLObjectType, Path[]> {
  const found = new Map<GraphQLObjectType, Path[]>();
  let edge: { readonly type: GraphQLObjectType; readonly path: Path }[] = operations.flatMap((operation) => {
    const type = schema.getRootType(operation);
    return type ? [{ type, path: { operation, steps: [] } }] : [];
  });
  while (edge.length > 0) {
    const accepted = edge.filter(({ type, path }) => accept(found, type, path));
    edge = accepted.flatMap(({ type, path: { operation, steps } }) =>
      Object.values(type.getFields()).flatMap((field) =>
        objectTypesOf(schema, getNamedType(field.type)).map((next) => ({
          type: next,
          path: { operation, steps: [...steps, { parent: type, field }] },
        })),
      ),
    );
  }
  return found;
}

function accept(found: Map<GraphQLObjectType, Path[]>, type: GraphQLObjectType, path: Path): boolean {
  const known = found.get(type) ?? [];
  const root = path.steps[0]?.field;
  const sameRoot = known.filter(({ steps }) => steps[0]?.field === root).length;
  const isLoop = path.steps.some(({ parent }) => parent === type);
  if (isLoop || path.steps.length >= MAX_STEPS) return false;
  if (known.length >= PATHS_PER_TYPE || sameRoot >= PATHS_PER_ROOT_FIELD) return false;
  found.set(type, [...known, path]);
  return true;
}

/** The object types that a value of the type can have. */
export function objectTypesOf(schema: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}
