import { type FieldNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';
import { type Fragments, inclusionOf, type Variables } from './collect-fields.ts';

/** Characters. Longer selections have no canonical text; this also bounds the expansion of nested fragments. */
const MAX_LENGTH = 4_000;

export interface SelectionScope {
  readonly fragments: Fragments;
  /** Variables of `@skip` and `@include`. */
  readonly variables: Variables;
}

/**
 * A text that does not depend on layout, comments or fragment names: selections with equal texts produce the same JSON
 * for the same object. Null when a selection uses variables in arguments, fails or is too long.
 */
export function canonicalSelection(scope: SelectionScope, sets: readonly SelectionSetNode[]): string | null {
  const writer = new CanonicalWriter(scope);
  return sets.every((set) => writer.set(set)) ? writer.text : null;
}

/** Each method returns false when there is no canonical text. */
class CanonicalWriter {
  text = '';
  readonly #scope: SelectionScope;

  constructor(scope: SelectionScope) {
    this.#scope = scope;
  }

  set({ selections }: SelectionSetNode): boolean {
    const { fragments, variables } = this.#scope;
    this.text += '{';
    for (const each of selections) {
      const included = inclusionOf(each, variables);
      if (included === null) return false;
      if (!included) continue;
      if (each.kind === Kind.FIELD) {
        if (!this.#field(each)) return false;
        continue;
      }
      const fragment = each.kind === Kind.FRAGMENT_SPREAD ? fragments[each.name.value] : each;
      if (fragment === undefined) return false;
      this.text += `...${fragment.typeCondition?.name.value ?? ''}`;
      if (!this.set(fragment.selectionSet)) return false;
    }
    this.text += '}';
    return this.text.length <= MAX_LENGTH;
  }

  #field({ alias, name, arguments: args = [], selectionSet }: FieldNode): boolean {
    this.text += alias === undefined ? `${name.value} ` : `${alias.value}:${name.value} `;
    for (const argument of args) {
      this.text += `(${argument.name.value}:`;
      if (!this.#value(argument.value)) return false;
    }
    return selectionSet === undefined || this.set(selectionSet);
  }

  #value(value: ValueNode): boolean {
    switch (value.kind) {
      case Kind.VARIABLE:
        return false;
      case Kind.LIST:
        this.text += '[';
        if (!value.values.every((each) => this.#value(each))) return false;
        this.text += ']';
        break;
      case Kind.OBJECT:
        this.text += '<';
        for (const field of value.fields) {
          this.text += `${field.name.value}:`;
          if (!this.#value(field.value)) return false;
        }
        this.text += '>';
        break;
      case Kind.STRING:
        this.text += `${JSON.stringify(value.value)} `;
        break;
      default:
        this.text += value.kind === Kind.NULL ? 'null ' : `${value.value} `;
    }
    return this.text.length <= MAX_LENGTH;
  }
}
