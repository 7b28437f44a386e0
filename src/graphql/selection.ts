import { collectFields } from '@sluice/graphql-executor';
import {
  type FieldNode,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';

/** The fields selected on an object that has not been read yet, so that only the data they need is read. */
export interface Selection {
  /** All sources that the selected fields declare with `reads`. */
  readonly reads: readonly string[];
  has(field: string): boolean;
  /** The selection inside a field, merged over all its aliases; empty when the field is not selected. */
  into(field: string): Selection;
}

/** The selection inside the field that is being resolved. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  return new SelectedFields(info, info.returnType, info.fieldNodes);
}

/** A field option that declares the sources of the field. */
export const reads = <N extends string>(...names: readonly N[]) => ({ extensions: { reads: names } });

class SelectedFields implements Selection {
  readonly #info: GraphQLResolveInfo;
  readonly #type: GraphQLResolveInfo['returnType'];
  readonly #nodes: readonly FieldNode[];

  constructor(
    info: GraphQLResolveInfo,
    type: GraphQLResolveInfo['returnType'],
    parents: readonly FieldNode[],
  ) {
    this.#info = info;
    this.#type = type;
    const sets = parents.flatMap(({ selectionSet }): SelectionSetNode[] =>
      selectionSet ? [selectionSet] : [],
    );
    const object = getNamedType(type);
    const { schema, fragments, variableValues: variables } = info;
    this.#nodes = isObjectType(object)
      ? [...collectFields({ schema, fragments, variables }, object, sets).values()].flat()
      : [];
  }

  get reads(): readonly string[] {
    const names = this.#nodes.flatMap(({ name }) => {
      const { reads: read = [] } = (this.#field(name.value)?.extensions ?? {}) as {
        reads?: readonly string[];
      };
      return read;
    });
    return [...new Set(names)];
  }

  has(field: string): boolean {
    return this.#nodes.some(({ name }) => name.value === field);
  }

  into(field: string): Selection {
    const type = this.#field(field)?.type ?? this.#type;
    const nodes = this.#nodes.filter(({ name }) => name.value === field);
    return new SelectedFields(this.#info, type, nodes);
  }

  #field(name: string) {
    const object = getNamedType(this.#type);
    return isObjectType(object) ? object.getFields()[name] : undefined;
  }
}
