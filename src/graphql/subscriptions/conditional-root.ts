import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';

/** Whether the root field of a subscription has `@skip` or `@include`: without its field there is nothing to subscribe to. */
export function isRootConditional(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const conditional = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.directives?.some(({ name }) => CONDITIONAL_DIRECTIVES.includes(name.value))) return true;
      if (selection.kind === Kind.INLINE_FRAGMENT) return conditional(selection.selectionSet);
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : undefined;
      return fragment !== undefined && conditional(fragment.selectionSet);
    });
  return conditional(operation.selectionSet);
}

const CONDITIONAL_DIRECTIVES = ['skip', 'include'];
