import type { Random } from '@sluice/localnet/world/prng';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';

/** Values for generated arguments. */
export interface ValuePool {
  /** Values of a scalar, as JSON; `place` is the path of the argument, such as `vault.address`. */
  scalar(type: string, place: string): readonly unknown[];
}

/** A value as a literal in a document and as JSON in a variable. */
interface Value {
  readonly literal: string;
  readonly json: unknown;
}

/** The arguments and variables of one generated query. */
export class GeneratedArguments {
  readonly variables: Record<string, unknown> = {};
  readonly declarations: string[] = [];
  readonly #random: Random;
  readonly #pool: ValuePool;

  constructor(random: Random, pool: ValuePool) {
    this.#random = random;
    this.#pool = pool;
  }

  /** The arguments of a field in parentheses; empty for none. */
  of(field: GraphQLField<unknown, unknown>): string {
    const given: string[] = [];
    for (const argument of field.args) {
      const value = this.#argument(field.name, argument);
      if (value !== undefined) given.push(`${argument.name}: ${value}`);
    }
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  /** Declares a variable with a value and returns its name with `$`. */
  declare(type: string, value: unknown): string {
    const name = `v${this.declarations.length + 1}`;
    this.declarations.push(`$${name}: ${type}`);
    this.variables[name] = value;
    return `$${name}`;
  }

  #argument(field: string, { name, type, defaultValue }: GraphQLArgument): string | undefined {
    const required = isNonNullType(type) && defaultValue === undefined;
    if (!required && !this.#random.chance(35)) return undefined;
    const place = `${field}.${name}`;
    if (this.#random.chance(40)) return this.declare(String(type), this.#value(type, place, false).json);
    return this.#value(type, place, true).literal;
  }

  #value(type: GraphQLInputType, place: string, inDocument: boolean): Value {
    if (isNonNullType(type)) return this.#present(type.ofType, place, inDocument);
    return this.#random.chance(8) ? { literal: 'null', json: null } : this.#present(type, place, inDocument);
  }

  #present(type: GraphQLInputType, place: string, inDocument: boolean): Value {
    if (isNonNullType(type)) return this.#present(type.ofType, place, inDocument);
    if (isListType(type)) {
      const items = Array.from({ length: this.#random.below(4) }, () =>
        this.#value(type.ofType, place, inDocument),
      );
      return {
        literal: `[${items.map(({ literal }) => literal).join(', ')}]`,
        json: items.map(({ json }) => json),
      };
    }
    if (isInputObjectType(type)) return this.#object(type, place, inDocument);
    if (isEnumType(type)) {
      const { name } = this.#random.pick(type.getValues());
      return { literal: name, json: name };
    }
    const json = this.#random.pick(this.#pool.scalar(type.name, place));
    return { literal: JSON.stringify(json), json };
  }

  #object(type: GraphQLInputObjectType, place: string, inDocument: boolean): Value {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf
      ? [this.#random.pick(fields)]
      : fields.filter((field) => isRequiredInputField(field) || this.#random.chance(25));
    const parts = given.map((field) => {
      const inner = `${place}.${field.name}`;
      const value = type.isOneOf
        ? this.#present(field.type, inner, inDocument)
        : this.#value(field.type, inner, inDocument);
      // Sometimes a variable inside a literal object; nullable variables are not allowed in @oneOf objects.
      const named = inDocument && !type.isOneOf && this.#random.chance(20);
      return {
        name: field.name,
        literal: named ? this.declare(String(field.type), value.json) : value.literal,
        json: value.json,
      };
    });
    return {
      literal: `{${parts.map(({ name, literal }) => `${name}: ${literal}`).join(', ')}}`,
      json: Object.fromEntries(parts.map(({ name, json }) => [name, json])),
    };
  }
}
