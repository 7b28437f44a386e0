import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { canonicalSelection } from './canonical-selection.ts';
import { collectFields, type Fragments, type Variables } from './collect-fields.ts';
import type { ValueShape, ValueShapes } from './value-shapes.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** One field of the response, its selections merged, with everything precomputed that no request changes. */
export interface FieldPlan {
  /** Response key: the alias or the name. */
  readonly key: string;
  /** The JSON before the value: `{` or `,`, the quoted key and a colon. */
  readonly label: string;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly resolve: GraphQLFieldResolver<unknown, unknown>;
  /** The property that the default resolver reads; null for any other resolver. */
  readonly property: string | null;
  /** Null when the arguments use variables or cannot be coerced: they are coerced when the field is reached. */
  readonly args: Arguments | null;
  readonly shape: ValueShape;
  /** JSON of a value that is the same in every response (`__typename`); null for all other fields. */
  readonly constant: string | null;
  /** Subselections by the runtime type of the value. */
  readonly selections: Map<GraphQLObjectType, SelectionPlan>;
}

/** The fields selected on objects of one type. */
export interface SelectionPlan {
  readonly type: GraphQLObjectType;
  readonly fields: readonly FieldPlan[];
  /** Whether the type implements Relay's `Node`: the same object often occurs many times in one response. */
  readonly isNode: boolean;
  readonly sets: readonly SelectionSetNode[];
}

export interface PlannedOperation {
  readonly schema: GraphQLSchema;
  readonly shapes: ValueShapes;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  /** Only those that directives use. */
  readonly variables: Variables;
}

/**
 * The plan of an operation for one combination of the variables that `@skip` and `@include` use. A subselection is
 * planned when the first object reaches it.
 */
export class OperationPlan {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly #shapes: ValueShapes;
  readonly #variables: Variables;
  readonly #canonicalTexts = new Map<SelectionPlan, string | null>();
  #root: SelectionPlan | undefined;

  constructor({ schema, shapes, fragments, operation, variables }: PlannedOperation) {
    this.schema = schema;
    this.fragments = fragments;
    this.operation = operation;
    this.#shapes = shapes;
    this.#variables = variables;
  }

  root(type: GraphQLObjectType): SelectionPlan {
    this.#root ??= this.#planSelection(type, [this.operation.selectionSet]);
    return this.#root;
  }

  /** The subselection of a field for objects of a type. */
  selection(field: FieldPlan, type: GraphQLObjectType): SelectionPlan {
    const known = field.selections.get(type);
    if (known !== undefined) return known;
    const sets = field.nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const selection = this.#planSelection(type, sets);
    field.selections.set(type, selection);
    return selection;
  }

  /** Equal for selections, also of other operations, that produce the same JSON for the same object. Null: not comparable. */
  canonicalText(selection: SelectionPlan): string | null {
    const known = this.#canonicalTexts.get(selection);
    if (known !== undefined) return known;
    const scope = { fragments: this.fragments, variables: this.#variables };
    const canonical = canonicalSelection(scope, selection.sets);
    const text = canonical === null ? null : `${selection.type.name}${canonical}`;
    this.#canonicalTexts.set(selection, text);
    return text;
  }

  #planSelection(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectionPlan {
    const scope = { schema: this.schema, fragments: this.fragments, variables: this.#variables };
    const fields: FieldPlan[] = [];
    for (const [key, [first, ...rest]] of collectFields(scope, type, sets)) {
      const field = first && fieldOf(this.schema, type, first.name.value);
      if (first === undefined || field === undefined) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      fields.push({
        key,
        label: `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`,
        nodes: [first, ...rest],
        parentType: type,
        field,
        resolve,
        property: resolve === defaultFieldResolver ? field.name : null,
        args: constantArguments(field, first),
        shape: this.#shapes.of(field.type),
        constant: field === TypeNameMetaFieldDef ? JSON.stringify(type.name) : null,
        selections: new Map(),
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

function constantArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Arguments | null {
  if (node.arguments?.some(({ value }) => hasVariable(value))) return null;
  try {
    return getArgumentValues(field, node);
  } catch {
    // Coerced again when the field is reached, where the error gets its path.
    return null;
  }
}

function hasVariable(value: ValueNode): boolean {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(hasVariable);
  return value.kind === Kind.OBJECT && value.fields.some((field) => hasVariable(field.value));
}
