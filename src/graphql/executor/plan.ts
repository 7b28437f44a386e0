import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { collectFields, type Fragments, type Variables } from './collect-fields.ts';
import { type LeafWriter, leafWriter } from './leaf-text.ts';
import { selectionText } from './selection-text.ts';

export type Arguments = Readonly<Record<string, unknown>>;
type Resolver = GraphQLFieldResolver<unknown, unknown>;

interface Shape {
  readonly nonNull: boolean;
}

export interface LeafShape extends Shape {
  readonly kind: 'leaf';
  readonly write: LeafWriter;
}

export interface ListShape extends Shape {
  readonly kind: 'list';
  readonly item: ValueShape;
}

export interface ObjectShape extends Shape {
  readonly kind: 'object';
  readonly type: GraphQLObjectType;
}

export interface AbstractShape extends Shape {
  readonly kind: 'abstract';
  readonly type: GraphQLAbstractType;
}

/** What a field gives, resolved so far that completing a value asks the schema nothing more. */
export type ValueShape = LeafShape | ListShape | ObjectShape | AbstractShape;

/** One field of an answer: every selection of it merged, everything that does not depend on a request settled. */
export interface FieldPlan {
  /** Its name in the answer. */
  readonly key: string;
  /** The name as it stands in the JSON before the value, with what separates it from the field before. */
  readonly label: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly resolve: Resolver;
  /** Its name where the default resolver reads it off the object; null for any other resolver. */
  readonly property: string | null;
  /** Null when they depend on variables, or cannot be read: they are then coerced when the field is first reached. */
  readonly args: Arguments | null;
  readonly shape: ValueShape;
  /** The value as JSON, where it is the same in every answer: the name of a type. */
  readonly constant: string | null;
  /** What is selected of the objects that it gives, by their type. */
  readonly below: Map<GraphQLObjectType, SelectionPlan>;
}

/** The fields of an object of one type. */
export interface SelectionPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** Whether the object has a global identifier: the same one is then met again and again in an answer. */
  readonly isNode: boolean;
  readonly sets: readonly SelectionSetNode[];
}

/**
 * An operation as it is executed, for one set of values of the variables that decide what is skipped. What stands below a
 * field is planned when an object is first met there.
 */
export class OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly #variables: Variables;
  readonly #shared = new Map<SelectionPlan, string | null>();
  #root: SelectionPlan | undefined;

  constructor(
    schema: GraphQLSchema,
    fragments: Fragments,
    operation: OperationDefinitionNode,
    variables: Variables,
  ) {
    this.schema = schema;
    this.fragments = fragments;
    this.operation = operation;
    this.#variables = variables;
  }

  /** The fields at the top of the answer. */
  root(type: GraphQLObjectType): SelectionPlan {
    this.#root ??= this.#selection(type, [this.operation.selectionSet]);
    return this.#root;
  }

  /** The fields of an object that a field gives. */
  below(field: FieldPlan, type: GraphQLObjectType): SelectionPlan {
    const known = field.below.get(type);
    if (known !== undefined) return known;
    const fresh = this.#selection(
      type,
      field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
    );
    field.below.set(type, fresh);
    return fresh;
  }

  /** What a selection gives of an object is the same for all who select by the same text; null where it is not. */
  sharedText(selection: SelectionPlan): string | null {
    const known = this.#shared.get(selection);
    if (known !== undefined) return known;
    const decided = { fragments: this.fragments, variables: this.#variables };
    const text = selectionText(decided, selection.sets);
    const shared = text === null ? null : `${selection.type.name}${text}`;
    this.#shared.set(selection, shared);
    return shared;
  }

  #selection(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectionPlan {
    const selections = { schema: this.schema, fragments: this.fragments, variables: this.#variables };
    const fields: FieldPlan[] = [];
    for (const [key, [first, ...others]] of collectFields(selections, type, sets)) {
      const field = first && fieldOf(this.schema, type, first.name.value);
      if (first === undefined || field === undefined) continue;
      fields.push({
        key,
        label: `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`,
        nodes: [first, ...others],
        parentType: type,
        field,
        resolve: field.resolve ?? defaultFieldResolver,
        property: (field.resolve ?? defaultFieldResolver) === defaultFieldResolver ? field.name : null,
        args: settledArguments(field, first),
        shape: shapeOf(field.type),
        constant: field === TypeNameMetaFieldDef ? JSON.stringify(type.name) : null,
        below: new Map(),
      });
    }
    return { type, fields, isNode: type.getInterfaces().some(({ name }) => name === 'Node'), sets };
  }
}

function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return type.getFields()[name];
}

function settledArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Arguments | null {
  if (node.arguments?.some(({ value }) => hasVariable(value))) return null;
  try {
    return getArgumentValues(field, node);
  } catch {
    // Coerced again where the field is reached, the same error has its place in the answer.
    return null;
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  return value.kind === Kind.OBJECT && value.fields.some((field) => hasVariable(field.value));
}

const shapes = new WeakMap<GraphQLOutputType, ValueShape>();

function shapeOf(type: GraphQLOutputType): ValueShape {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const shape = isNonNullType(type) ? { ...shapeOf(type.ofType), nonNull: true } : nullableShape(type);
  shapes.set(type, shape);
  return shape;
}

function nullableShape(type: GraphQLOutputType): ValueShape {
  const nonNull = false;
  if (isListType(type)) return { kind: 'list', nonNull, item: shapeOf(type.ofType) };
  if (isLeafType(type)) return { kind: 'leaf', nonNull, write: leafWriter(type) };
  if (isAbstractType(type)) return { kind: 'abstract', nonNull, type };
  return { kind: 'object', nonNull, type: type as GraphQLObjectType };
}
