import {
  type ArgumentNode,
  type ConstValueNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isTypeSubTypeOf,
  Kind,
  type ObjectFieldNode,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

/** What an operation gives to its fields: variables and values. As in `isSurelyValid`, false is not certain. */
export class GivenInputs {
  readonly #schema: GraphQLSchema;
  readonly #variables = new Map<string, GraphQLInputType>();
  readonly #used = new Set<string>();

  private constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Null when the variables themselves may be wrong. */
  static of(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): GivenInputs | null {
    const inputs = new GivenInputs(schema);
    return definitions.every((each) => inputs.#declares(each)) ? inputs : null;
  }

  get areAllUsed(): boolean {
    return this.#used.size === this.#variables.size;
  }

  /** Whether values are what their places want, none is there twice and none missing. */
  fit(
    places: readonly (GraphQLArgument | GraphQLInputField)[],
    given: readonly (ArgumentNode | ObjectFieldNode)[],
  ): boolean {
    if (given.length > places.length) return false;
    let [found, needed] = [0, 0];
    for (const { name, type, defaultValue } of places) {
      const isNeeded = isNonNullType(type) && defaultValue === undefined;
      if (isNeeded) needed += 1;
      const each = given.length === 0 ? undefined : given.find((one) => one.name.value === name);
      if (each === undefined) continue;
      if (isNeeded) needed -= 1;
      if (!this.#fitsValue(type, each.value)) return false;
      found += 1;
    }
    // What is there twice, or has no place, was not found.
    return found === given.length && needed === 0;
  }

  #declares({ variable, type: node, defaultValue, directives }: VariableDefinitionNode): boolean {
    const name = variable.name.value;
    const type = typeFromAST(this.#schema, node);
    if (!isInputType(type) || this.#variables.has(name) || (directives?.length ?? 0) > 0) return false;
    this.#variables.set(name, type);
    return defaultValue === undefined || this.#fitsValue(type, defaultValue);
  }

  #fitsValue(type: GraphQLInputType, value: ValueNode | ConstValueNode): boolean {
    if (value.kind === Kind.VARIABLE) {
      const name = value.name.value;
      const variable = this.#variables.get(name);
      this.#used.add(name);
      return variable !== undefined && isTypeSubTypeOf(this.#schema, variable, type);
    }
    if (isNonNullType(type)) return value.kind !== Kind.NULL && this.#fitsValue(type.ofType, value);
    if (value.kind === Kind.NULL) return true;
    if (isListType(type)) {
      const item: GraphQLInputType = type.ofType;
      if (value.kind !== Kind.LIST) return this.#fitsValue(item, value);
      return value.values.every((each) => this.#fitsValue(item, each));
    }
    if (isInputObjectType(type)) {
      return (
        value.kind === Kind.OBJECT && !type.isOneOf && this.fit(Object.values(type.getFields()), value.fields)
      );
    }
    if (value.kind === Kind.LIST || value.kind === Kind.OBJECT) return false;
    try {
      return type.parseLiteral(value, undefined) !== undefined;
    } catch {
      // The rules tell what is wrong with it.
      return false;
    }
  }
}
