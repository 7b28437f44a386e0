import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
} from 'graphql';
import { type Chunks, Execution } from './execution.ts';
import type { ExecutionHooks } from './hooks.ts';
import type { LeafSerializer } from './leaf-serializers.ts';
import { PlanCache } from './plan-cache.ts';
import { rejectOnAbort } from './reject-on-abort.ts';
import { serializedResult } from './serialized-result.ts';
import { ValueShapes } from './value-shapes.ts';

export interface ExecutorOptions {
  /** Fast paths for the caller's scalars and enums, by type name. */
  readonly leafSerializers?: Readonly<Record<string, LeafSerializer>>;
}

/** Executes queries and mutations by cached plans. See README.md in this folder. */
export class PlannedExecutor {
  readonly #shapes: ValueShapes;
  readonly #plans = new WeakMap<GraphQLSchema, PlanCache>();

  constructor({ leafSerializers = {} }: ExecutorOptions = {}) {
    this.#shapes = new ValueShapes(leafSerializers);
  }

  /** Executes a valid document. Null when it makes no plan for the operation and graphql-js has to execute it. */
  execute(
    args: ExecutionArgs,
    hooks: ExecutionHooks = {},
  ): ExecutionResult | Promise<ExecutionResult> | null {
    const { schema, document, operationName, rootValue } = args;
    const operation = getOperationAST(document, operationName);
    const type = operation && schema.getRootType(operation.operation);
    if (!type || operation.operation === OperationTypeNode.SUBSCRIPTION) return null;
    if (args.fieldResolver || args.typeResolver) return null;
    const variables = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      args.variableValues ?? {},
    );
    if (variables.errors !== undefined) return null;
    const plan = this.#plansOf(schema).find(document, operation, variables.coerced);
    const execution = new Execution({
      plan,
      variables: variables.coerced,
      rootValue,
      contextValue: args.contextValue,
      hooks,
    });
    const { errors } = execution.errors;
    const succeeded = (json: Chunks | string) =>
      serializedResult(typeof json === 'string' ? [json] : json, errors);
    const failed = (error: unknown) => {
      execution.errors.add(error as GraphQLError, undefined);
      return serializedResult(null, errors);
    };
    try {
      const json =
        operation.operation === OperationTypeNode.MUTATION
          ? execution.runSerially(plan.root(type))
          : execution.run(plan.root(type));
      if (!(json instanceof Promise)) return succeeded(json);
      // No await in between: of two errors that null the same field the first one wins, as in graphql-js.
      const result = json.then(succeeded, failed);
      return hooks.signal === undefined ? result : rejectOnAbort(result, hooks.signal);
    } catch (error) {
      return failed(error);
    }
  }

  #plansOf(schema: GraphQLSchema): PlanCache {
    const known = this.#plans.get(schema);
    if (known !== undefined) return known;
    const plans = new PlanCache(schema, this.#shapes);
    this.#plans.set(schema, plans);
    return plans;
  }
}
