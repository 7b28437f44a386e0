import {
  type DirectiveNode,
  type DocumentNode,
  doTypesOverlap,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { InputCheck } from './input-check.ts';

/** Selections to visit, with fragments counted at every spread. Larger documents are left to the rules of graphql-js. */
const MAX_SELECTIONS = 5_000;

/**
 * Pairs of merged fields, with their subselections, and of fragments. The rule for merged fields compares them all and refuses
 * documents beyond its own budget, which is several times as high. Counting them here takes no longer than counting fields.
 */
const MAX_PAIRS = 30_000;

type Field = GraphQLField<unknown, unknown>;

/** A selection set and the type it applies to. */
interface TypedSelection {
  readonly type: GraphQLCompositeType;
  readonly set: SelectionSetNode;
}

/** All fields with one response key, and their subselections. */
interface MergedField {
  readonly node: FieldNode;
  readonly field: Field;
  readonly subselections: TypedSelection[];
  count: number;
}

/**
 * Checks in one pass whether a document obeys all rules of graphql-js. True means valid; false means that the rules have
 * to decide and report the errors. Rare constructs are always left to them: several operations, subscriptions,
 * introspection, directives besides `@skip` and `@include`, merged fields with arguments.
 */
export function passesQuickValidation(schema: GraphQLSchema, { definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION && operation === undefined) operation = definition;
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION || fragments.has(definition.name.value))
      return false;
    else fragments.set(definition.name.value, definition);
  }
  if (operation === undefined || operation.operation === OperationTypeNode.SUBSCRIPTION) return false;
  const type = schema.getRootType(operation.operation);
  const inputs = InputCheck.of(schema, operation.variableDefinitions ?? []);
  if (type === undefined || type === null || inputs === null || isPresent(operation.directives)) return false;
  const walk = new Walk(schema, fragments, inputs);
  return (
    walk.accepts([{ type, set: operation.selectionSet }]) &&
    walk.visitedFragments.size === fragments.size &&
    inputs.areAllVariablesUsed
  );
}

class Walk {
  /** An unused fragment is an error. */
  readonly visitedFragments = new Set<string>();
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #inputs: InputCheck;
  #selections = 0;
  #pairs = 0;

  constructor(
    schema: GraphQLSchema,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    inputs: InputCheck,
  ) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#inputs = inputs;
  }

  /** Whether selections on the same object, and all their subselections, are valid. */
  accepts(merged: readonly TypedSelection[]): boolean {
    const byKey = new Map<string, MergedField>();
    const spreads = new Set<string>();
    for (const selection of merged) if (!this.#collect(selection, byKey, spreads, [])) return false;
    this.#pairs += spreads.size * (spreads.size + byKey.size);
    if (this.#pairs > MAX_PAIRS) return false;
    for (const { subselections } of byKey.values()) {
      if (subselections.length > 0 && !this.accepts(subselections)) return false;
    }
    return true;
  }

  /** @param enclosing fragments that contain the selection; spreading one of them again is a cycle */
  #collect(
    { type: parent, set }: TypedSelection,
    byKey: Map<string, MergedField>,
    spreads: Set<string>,
    enclosing: readonly string[],
  ): boolean {
    this.#selections += set.selections.length;
    if (this.#selections > MAX_SELECTIONS) return false;
    for (const selection of set.selections) {
      if (!this.#acceptsDirectives(selection.directives)) return false;
      if (selection.kind === Kind.FIELD) {
        if (!this.#acceptsField(parent, selection, byKey)) return false;
        continue;
      }
      const isInline = selection.kind === Kind.INLINE_FRAGMENT;
      const name = isInline ? undefined : selection.name.value;
      const fragment = isInline ? selection : this.#fragments.get(selection.name.value);
      if (fragment === undefined || (name !== undefined && enclosing.includes(name))) return false;
      const type = this.#conditionType(parent, fragment.typeCondition?.name.value);
      if (type === undefined) return false;
      if (name !== undefined) {
        if (fragment.kind === Kind.FRAGMENT_DEFINITION && isPresent(fragment.directives)) return false;
        if (spreads.has(name)) continue;
        spreads.add(name);
        this.visitedFragments.add(name);
      }
      const inner = name === undefined ? enclosing : [...enclosing, name];
      if (!this.#collect({ type, set: fragment.selectionSet }, byKey, spreads, inner)) return false;
    }
    return true;
  }

  #acceptsField(type: GraphQLCompositeType, node: FieldNode, byKey: Map<string, MergedField>): boolean {
    const field = fieldOf(type, node.name.value);
    if (field === undefined || !this.#inputs.accepts(field.args, node.arguments ?? [])) return false;
    const named = getNamedType(field.type);
    const composite = isCompositeType(named) ? named : undefined;
    if ((composite === undefined) !== (node.selectionSet === undefined)) return false;
    const key = node.alias?.value ?? node.name.value;
    let merged = byKey.get(key);
    if (merged === undefined) {
      merged = { node, field, subselections: [], count: 1 };
      byKey.set(key, merged);
    } else {
      this.#pairs += merged.count * (1 + (node.selectionSet?.selections.length ?? 0));
      merged.count += 1;
      if (this.#pairs > MAX_PAIRS || !canMerge(merged, node, field)) return false;
    }
    if (composite !== undefined && node.selectionSet !== undefined) {
      merged.subselections.push({ type: composite, set: node.selectionSet });
    }
    return true;
  }

  /** The type condition of a fragment; undefined when it does not overlap the parent type. */
  #conditionType(
    type: GraphQLCompositeType,
    condition: string | undefined,
  ): GraphQLCompositeType | undefined {
    if (condition === undefined || condition === type.name) return type;
    const named = this.#schema.getType(condition);
    return isCompositeType(named) && doTypesOverlap(this.#schema, type, named) ? named : undefined;
  }

  #acceptsDirectives(directives: readonly DirectiveNode[] | undefined): boolean {
    if (directives === undefined || directives.length === 0) return true;
    const [first, second] = directives;
    if (directives.length > 2 || first?.name.value === second?.name.value) return false;
    return directives.every(({ name, arguments: args }) => {
      const directive = CONDITIONAL_DIRECTIVES.find((each) => each.name === name.value);
      return directive !== undefined && this.#inputs.accepts(directive.args, args ?? []);
    });
  }
}

const CONDITIONAL_DIRECTIVES = [GraphQLSkipDirective, GraphQLIncludeDirective];

const isPresent = (nodes: readonly unknown[] | undefined) => nodes !== undefined && nodes.length > 0;

function fieldOf(type: GraphQLCompositeType, name: string): Field | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** Whether two fields with the same response key can be merged; conservative. */
function canMerge(merged: MergedField, node: FieldNode, field: Field): boolean {
  return (
    merged.node.name.value === node.name.value &&
    !isPresent(merged.node.arguments) &&
    !isPresent(node.arguments) &&
    (merged.field === field || String(merged.field.type) === String(field.type))
  );
}
