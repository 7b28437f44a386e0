import type { GraphQLOutputType, GraphQLResolveInfo, GraphQLSchema, ResponsePath } from 'graphql';
import type { Fragments, Variables } from './collect-fields.ts';
import type { FieldPlan, OperationPlan } from './operation-plan.ts';

/** The parts of `GraphQLResolveInfo` that all fields of an execution have in common. */
export interface ExecutionInfo {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly rootValue: unknown;
}

/** The `info` argument of a resolver. Most resolvers do not read it, so every part is computed on access. */
export class ResolveInfo implements GraphQLResolveInfo {
  readonly #execution: ExecutionInfo;
  readonly #field: FieldPlan;
  readonly #parent: ResponsePath | undefined;
  #path: ResponsePath | undefined;

  constructor(execution: ExecutionInfo, field: FieldPlan, parent: ResponsePath | undefined) {
    this.#execution = execution;
    this.#field = field;
    this.#parent = parent;
  }

  /** The same object on each access: nulled paths are compared by identity. */
  get path(): ResponsePath {
    this.#path ??= { prev: this.#parent, key: this.#field.key, typename: this.#field.parentType.name };
    return this.#path;
  }

  get fieldName(): string {
    return this.#field.field.name;
  }

  get fieldNodes(): FieldPlan['nodes'] {
    return this.#field.nodes;
  }

  get returnType(): GraphQLOutputType {
    return this.#field.field.type;
  }

  get parentType(): FieldPlan['parentType'] {
    return this.#field.parentType;
  }

  get schema(): GraphQLSchema {
    return this.#execution.plan.schema;
  }

  get fragments(): Fragments {
    return this.#execution.plan.fragments;
  }

  get rootValue(): unknown {
    return this.#execution.rootValue;
  }

  get operation(): OperationPlan['operation'] {
    return this.#execution.plan.operation;
  }

  get variableValues(): Variables {
    return this.#execution.variables;
  }
}
