import {
  type FieldNode,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { collectFields } from './executor/collect-fields.ts';

/** What is selected of an object that is not there yet, so that no more is read for it than that. */
export interface Selection {
  /** Everything that the selected fields say they are read from (`reads`). */
  readonly reads: readonly string[];
  has(field: string): boolean;
  /** What is selected of a field, under any of its names in the answer; nothing of one that is not selected. */
  into(field: string): Selection;
}

/** What is selected of the field that is being resolved. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  return new SelectedFields(info, info.returnType, info.fieldNodes);
}

/** An option of a field: what it is read from. */
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
