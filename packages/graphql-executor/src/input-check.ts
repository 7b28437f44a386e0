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

/**
 * Checks the variables and argument values of one operation. As in `passesQuickValidation`, true means valid; false means
 * that the rules of graphql-js have to decide.
 */
export class InputCheck {
  readonly #schema: GraphQLSchema;
  readonly #variables = new Map<string, GraphQLInputType>();
  readonly #used = new Set<string>();

  private constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Null when the variable definitions themselves may be invalid. */
  static of(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): InputCheck | null {
    const inputs = new InputCheck(schema);
    return definitions.every((each) => inputs.#declare(each)) ? inputs : null;
  }

  get areAllVariablesUsed(): boolean {
    return this.#used.size === this.#variables.size;
  }

  /** Whether all values match their definitions, with none missing, unknown or duplicated. */
  accepts(
    definitions: readonly (GraphQLArgument | GraphQLInputField)[],
    values: readonly (ArgumentNode | ObjectFieldNode)[],
  ): boolean {
    if (values.length > definitions.length) return false;
    let [found, missing] = [0, 0];
    for (const { name, type, defaultValue } of definitions) {
      const isRequired = isNonNullType(type) && defaultValue === undefined;
      if (isRequired) missing += 1;
      const node = values.length === 0 ? undefined : values.find((each) => each.name.value === name);
      if (node === undefined) continue;
      if (isRequired) missing -= 1;
      if (!this.#acceptsValue(type, node.value)) return false;
      found += 1;
    }
    // A duplicated or unknown value was not found.
    return found === values.length && missing === 0;
  }

  #declare({ variable, type: node, defaultValue, directives }: VariableDefinitionNode): boolean {
    const name = variable.name.value;
    const type = typeFromAST(this.#schema, node);
    if (!isInputType(type) || this.#variables.has(name) || (directives?.length ?? 0) > 0) return false;
    this.#variables.set(name, type);
    return defaultValue === undefined || this.#acceptsValue(type, defaultValue);
  }

  #acceptsValue(type: GraphQLInputType, value: ValueNode | ConstValueNode): boolean {
    if (value.kind === Kind.VARIABLE) {
      const name = value.name.value;
      const variable = this.#variables.get(name);
      this.#used.add(name);
      return variable !== undefined && isTypeSubTypeOf(this.#schema, variable, type);
    }
    if (isNonNullType(type)) return value.kind !== Kind.NULL && this.#acceptsValue(type.ofType, value);
    if (value.kind === Kind.NULL) return true;
    if (isListType(type)) {
      const item: GraphQLInputType = type.ofType;
      if (value.kind !== Kind.LIST) return this.#acceptsValue(item, value);
      return value.values.every((each) => this.#acceptsValue(item, each));
    }
    if (isInputObjectType(type)) {
      return (
        value.kind === Kind.OBJECT &&
        !type.isOneOf &&
        this.accepts(Object.values(type.getFields()), value.fields)
      );
    }
    if (value.kind === Kind.LIST || value.kind === Kind.OBJECT) return false;
    try {
      return type.parseLiteral(value, undefined) !== undefined;
    } catch {
      // The rules of graphql-js report it.
      return false;
    }
  }
}
