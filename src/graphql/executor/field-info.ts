import type { GraphQLOutputType, GraphQLResolveInfo, GraphQLSchema, ResponsePath } from 'graphql';
import type { Fragments, Variables } from './collect-fields.ts';
import type { FieldPlan, OperationPlan } from './plan.ts';

/** What the fields of one run have in common. */
export interface RunFacts {
  readonly plan: OperationPlan;
  readonly variables: Variables;
  readonly rootValue: unknown;
}

/** What a resolver is told of its field. Most resolvers ask nothing, so nothing is put together before it is asked for. */
export class FieldInfo implements GraphQLResolveInfo {
  readonly #run: RunFacts;
  readonly #field: FieldPlan;
  readonly #parent: ResponsePath | undefined;
  #path: ResponsePath | undefined;

  constructor(run: RunFacts, field: FieldPlan, parent: ResponsePath | undefined) {
    this.#run = run;
    this.#field = field;
    this.#parent = parent;
  }

  /** One and the same object each time: errors know places that were nulled by it. */
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
    return this.#run.plan.schema;
  }

  get fragments(): Fragments {
    return this.#run.plan.fragments;
  }

  get rootValue(): unknown {
    return this.#run.rootValue;
  }

  get operation(): OperationPlan['operation'] {
    return this.#run.plan.operation;
  }

  get variableValues(): Variables {
    return this.#run.variables;
  }
}
