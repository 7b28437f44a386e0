import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;
export type Variables = Readonly<Record<string, unknown>>;

export interface CollectScope {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly variables: Variables;
}

/** The fields selected on objects of a type, by response key and in response order. */
export function collectFields(
  { schema, fragments, variables }: CollectScope,
  type: GraphQLObjectType,
  sets: Iterable<SelectionSetNode>,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const visited = new Set<string>();
  const applies = (condition: string | undefined): boolean => {
    if (condition === undefined || condition === type.name) return true;
    const named = schema.getType(condition) as GraphQLCompositeType | undefined;
    return isCompositeType(named) && isAbstractType(named) && schema.isSubType(named, type);
  };
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD && visited.has(selection.name.value)) continue;
      if (!isIncluded(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const known = fields.get(name);
        if (known === undefined) fields.set(name, [selection]);
        else known.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value)) collect(selection.selectionSet);
      } else {
        visited.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment !== undefined && applies(fragment.typeCondition.name.value))
          collect(fragment.selectionSet);
      }
    }
  };
  for (const set of sets) collect(set);
  return fields;
}

/** Whether `@skip` and `@include` leave a selection in. @throws GraphQLError when their condition is null */
function isIncluded(node: SelectionNode, variables: Variables): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
  );
}

/** Like `isIncluded`, with null where it throws: the executor reports the error at the object that it concerns. */
export function inclusionOf(node: SelectionNode, variables: Variables): boolean | null {
  try {
    return isIncluded(node, variables);
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}
