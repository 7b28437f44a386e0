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
import { GivenInputs } from './input-check.ts';

/** Selections that are looked at, each fragment as often as it is spread. A larger document is looked at by the rules. */
const MAX_SELECTIONS = 5_000;

/** Fields that merge with others. The rules compare each with each, and refuse what would take them too long. */
const MAX_MERGED = 100;

type Field = GraphQLField<unknown, unknown>;

/** A selection, and the type of which it selects. */
interface Part {
  readonly type: GraphQLCompositeType;
  readonly set: SelectionSetNode;
}

/** A field under a name of the answer, with what is selected below it in all places that have that name. */
interface Named {
  readonly node: FieldNode;
  readonly field: Field;
  readonly below: Part[];
}

/**
 * Whether a document breaks none of the rules of graphql-js, found in one walk: true is certain, false means that the
 * rules have to tell. Errors are theirs alone, so nothing here says what is wrong, and what is seldom written is left to
 * them: several operations, subscriptions, introspection, other directives, arguments of fields that merge.
 */
export function isSurelyValid(schema: GraphQLSchema, { definitions }: DocumentNode): boolean {
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
  const inputs = GivenInputs.of(schema, operation.variableDefinitions ?? []);
  if (type === undefined || type === null || inputs === null || isAny(operation.directives)) return false;
  const walk = new Walk(schema, fragments, inputs);
  return (
    walk.fits([{ type, set: operation.selectionSet }]) &&
    walk.met.size === fragments.size &&
    inputs.areAllUsed
  );
}

class Walk {
  /** Fragments that were come across: one that is not is an error. */
  readonly met = new Set<string>();
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #inputs: GivenInputs;
  #selections = 0;
  #merged = 0;

  constructor(
    schema: GraphQLSchema,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    inputs: GivenInputs,
  ) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#inputs = inputs;
  }

  /** Whether selections that come together in one object, and everything below them, are valid. */
  fits(together: readonly Part[]): boolean {
    const byName = new Map<string, Named>();
    const spread = new Set<string>();
    for (const part of together) if (!this.#gather(part, byName, spread, [])) return false;
    for (const { below } of byName.values()) if (below.length > 0 && !this.fits(below)) return false;
    return true;
  }

  /** @param within fragments of which this is a part: one within itself has no end */
  #gather(part: Part, byName: Map<string, Named>, spread: Set<string>, within: readonly string[]): boolean {
    this.#selections += part.set.selections.length;
    if (this.#selections > MAX_SELECTIONS) return false;
    for (const selection of part.set.selections) {
      if (!this.#areUsual(selection.directives)) return false;
      if (selection.kind === Kind.FIELD) {
        if (!this.#takes(part.type, selection, byName)) return false;
        continue;
      }
      const isInline = selection.kind === Kind.INLINE_FRAGMENT;
      const name = isInline ? undefined : selection.name.value;
      const fragment = isInline ? selection : this.#fragments.get(selection.name.value);
      if (fragment === undefined || (name !== undefined && within.includes(name))) return false;
      const type = this.#overlapping(part.type, fragment.typeCondition?.name.value);
      if (type === undefined) return false;
      if (name !== undefined) {
        if (fragment.kind === Kind.FRAGMENT_DEFINITION && isAny(fragment.directives)) return false;
        if (spread.has(name)) continue;
        spread.add(name);
        this.met.add(name);
      }
      const inner = name === undefined ? within : [...within, name];
      if (!this.#gather({ type, set: fragment.selectionSet }, byName, spread, inner)) return false;
    }
    return true;
  }

  #takes(type: GraphQLCompositeType, node: FieldNode, byName: Map<string, Named>): boolean {
    const field = fieldOf(type, node.name.value);
    if (field === undefined || !this.#inputs.fit(field.args, node.arguments ?? [])) return false;
    const inner = getNamedType(field.type);
    const below = isCompositeType(inner) ? inner : undefined;
    if ((below === undefined) !== (node.selectionSet === undefined)) return false;
    const name = node.alias?.value ?? node.name.value;
    let known = byName.get(name);
    if (known === undefined) {
      known = { node, field, below: [] };
      byName.set(name, known);
    } else {
      this.#merged += 1;
      if (this.#merged > MAX_MERGED || !areAlike(known, node, field)) return false;
    }
    if (below !== undefined && node.selectionSet !== undefined) {
      known.below.push({ type: below, set: node.selectionSet });
    }
    return true;
  }

  /** The type of which a fragment selects; undefined when no object of the other can be one of it. */
  #overlapping(type: GraphQLCompositeType, condition: string | undefined): GraphQLCompositeType | undefined {
    if (condition === undefined || condition === type.name) return type;
    const named = this.#schema.getType(condition);
    return isCompositeType(named) && doTypesOverlap(this.#schema, type, named) ? named : undefined;
  }

  #areUsual(directives: readonly DirectiveNode[] | undefined): boolean {
    if (directives === undefined || directives.length === 0) return true;
    const [first, second] = directives;
    if (directives.length > 2 || first?.name.value === second?.name.value) return false;
    return directives.every(({ name, arguments: given }) => {
      const directive = CONDITIONS.find((each) => each.name === name.value);
      return directive !== undefined && this.#inputs.fit(directive.args, given ?? []);
    });
  }
}

const CONDITIONS = [GraphQLSkipDirective, GraphQLIncludeDirective];

const isAny = (nodes: readonly unknown[] | undefined) => nodes !== undefined && nodes.length > 0;

function fieldOf(type: GraphQLCompositeType, name: string): Field | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** Whether two fields of one name ask for the same: they merge wherever they stand. */
function areAlike(known: Named, node: FieldNode, field: Field): boolean {
  return (
    known.node.name.value === node.name.value &&
    !isAny(known.node.arguments) &&
    !isAny(node.arguments) &&
    (known.field === field || String(known.field.type) === String(field.type))
  );
}
