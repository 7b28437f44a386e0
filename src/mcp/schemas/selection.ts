import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** A field that a document selects, on one of the types to which the selection applies. */
export interface SelectedField {
  /** The name in the answer. */
  readonly key: string;
  readonly parent: GraphQLCompositeType;
  /** `Type.field`. */
  readonly name: string;
  readonly type: GraphQLOutputType;
  readonly selections: readonly Selection[];
  /** Whether a directive may leave it out. */
  readonly conditional: boolean;
}

/** A selection set together with the type that it is written for. */
export interface Selection {
  readonly parent: GraphQLCompositeType;
  readonly set: SelectionSetNode;
}

/** Resolves the fields of a valid document against its schema. */
export class DocumentFields {
  readonly root: Selection;
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, document: DocumentNode, operationName?: string) {
    const operation = getOperationAST(document, operationName);
    const parent = operation && schema.getRootType(operation.operation);
    if (!operation || !parent) throw new GraphQLError('The document has no such operation.');
    this.root = { parent, set: operation.selectionSet };
    this.#schema = schema;
    this.#fragments = new Map(
      document.definitions.flatMap((each) =>
        each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
      ),
    );
  }

  /** The fields of selections on one object, with those of fragments. Fields of other types than theirs are included. */
  fieldsOf(selections: readonly Selection[]): SelectedField[] {
    return selections.flatMap((selection) => this.#fields(selection, new Set()));
  }

  #fields({ parent, set }: Selection, seen: Set<string>): SelectedField[] {
    return set.selections.flatMap((node): SelectedField[] => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = this.#fragments.get(node.name.value);
        if (fragment === undefined || seen.has(node.name.value)) return [];
        seen.add(node.name.value);
        return this.#fields(this.#on(fragment.typeCondition.name.value, parent, fragment.selectionSet), seen);
      }
      if (node.kind === Kind.INLINE_FRAGMENT)
        return this.#fields(this.#on(node.typeCondition?.name.value, parent, node.selectionSet), seen);
      const field = this.#definition(parent, node.name.value);
      if (field === undefined) return [];
      const named = getNamedType(field.type);
      return [
        {
          key: node.alias?.value ?? node.name.value,
          parent,
          name: `${parent.name}.${node.name.value}`,
          type: field.type,
          selections:
            node.selectionSet && isCompositeType(named) ? [{ parent: named, set: node.selectionSet }] : [],
          conditional: (node.directives ?? []).length > 0,
        },
      ];
    });
  }

  #on(condition: string | undefined, parent: GraphQLCompositeType, set: SelectionSetNode): Selection {
    const type = condition === undefined ? parent : this.#schema.getType(condition);
    return { parent: type && isCompositeType(type) ? type : parent, set };
  }

  /** Undefined for `__typename` and introspection. */
  #definition(parent: GraphQLCompositeType, name: string) {
    return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  }
}
