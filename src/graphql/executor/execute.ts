import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
} from 'graphql';
import { unlessAborted } from '../../node/unless-aborted.ts';
import { writtenResult } from './json-result.ts';
import { OperationPlans } from './operation-plans.ts';
import { type Pieces, Run, type RunContext } from './run.ts';

const plansOfSchema = new WeakMap<GraphQLSchema, OperationPlans>();

function plansOf(schema: GraphQLSchema): OperationPlans {
  const known = plansOfSchema.get(schema);
  if (known !== undefined) return known;
  const fresh = new OperationPlans(schema);
  plansOfSchema.set(schema, fresh);
  return fresh;
}

/** The answer to a valid document by a plan of it; null for what no plan is made for, which another executor answers. */
export function executeByPlan(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> | null {
  const { schema, document, operationName, variableValues, rootValue, fieldResolver, typeResolver } = args;
  const operation = getOperationAST(document, operationName);
  const type = operation && schema.getRootType(operation.operation);
  if (!type || operation.operation === OperationTypeNode.SUBSCRIPTION || fieldResolver || typeResolver) {
    return null;
  }
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (variables.errors !== undefined) return null;
  const plan = plansOf(schema).find(document, operation, variables.coerced);
  const context = args.contextValue as RunContext;
  const run = new Run(plan, variables.coerced, rootValue, context);
  const failed = (error: unknown): ExecutionResult => {
    run.errors.add(error as GraphQLError, undefined);
    return writtenResult(null, run.errors.errors);
  };
  const written = (given: Pieces | string) =>
    writtenResult(typeof given === 'string' ? [given] : given, run.errors.errors);
  try {
    const selection = plan.root(type);
    const pieces =
      operation.operation === OperationTypeNode.MUTATION
        ? run.fieldsInTurn(selection, rootValue)
        : run.fields(selection, rootValue);
    if (!(pieces instanceof Promise)) return written(pieces);
    // At once: of two errors that compete for one null, that which comes first wins, as in graphql-js.
    return unlessAborted(pieces.then(written, failed), context.budget.signal);
  } catch (error) {
    return failed(error);
  }
}
