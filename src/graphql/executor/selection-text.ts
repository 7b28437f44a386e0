import { type FieldNode, Kind, type SelectionSetNode, type ValueNode } from 'graphql';
import { type Fragments, isIncluded, type Variables } from './collect-fields.ts';

/** A longer selection is compared with no other. It also ends the walk through fragments within fragments. */
const MAX_LENGTH = 4_000;

/** What decides which parts of a selection count. */
export interface Decided {
  readonly fragments: Fragments;
  /** Of the directives that skip and include. */
  readonly variables: Variables;
}

/**
 * What a selection asks for, in one form however it is laid out and whatever its fragments are called: two selections
 * with the same text give the same of the same object. Null where a variable stands in it, or when it is very long.
 */
export function selectionText(decided: Decided, sets: readonly SelectionSetNode[]): string | null {
  const writer = new Writer(decided);
  return sets.every((set) => writer.set(set)) ? writer.text : null;
}

/** Each step is false when there is no text. */
class Writer {
  text = '';
  readonly #decided: Decided;

  constructor(decided: Decided) {
    this.#decided = decided;
  }

  set({ selections }: SelectionSetNode): boolean {
    const { fragments, variables } = this.#decided;
    this.text += '{';
    for (const each of selections) {
      if (!isIncluded(each, variables)) continue;
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

  #field({ alias, name, arguments: given = [], selectionSet }: FieldNode): boolean {
    this.text += alias === undefined ? `${name.value} ` : `${alias.value}:${name.value} `;
    for (const argument of given) {
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
