import { type ExecutionResult, GraphQLError, getOperationAST, getVariableValues } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { objection, type QueryLimits } from '../cost/limits.ts';
import { longestArray, measureQuery, type Variables } from '../cost/measure.ts';
import { NodeBudget } from '../cost/node-budget.ts';
import { maskError, refusal } from '../mask-error.ts';

const MAX_VARIABLE_ERRORS = 20;

/**
 * Refuses what is too much before anything is read, and tells in `extensions.cost` what a query was to cost and how many
 * objects it gave.
 */
export function useQueryLimits(limits: QueryLimits): Plugin<GraphQLContext, ServerContext> {
  return {
    onExecute({ args, extendContext, setResultAndStopExecution }) {
      const { schema, document } = args;
      const given: Variables = args.variableValues ?? {};
      const operation = getOperationAST(document, args.operationName);
      const budget = new NodeBudget(limits.nodes);
      let requested = 0;
      const withCost = (result: ExecutionResult): ExecutionResult => {
        const cost = {
          requested,
          ceiling: limits.cost,
          resolved: budget.resolved,
          resolvedCeiling: budget.ceiling,
        };
        return { ...result, extensions: { ...result.extensions, cost } };
      };
      const refuse = (errors: readonly GraphQLError[]) =>
        setResultAndStopExecution(withCost({ errors: [...errors] }));
      // The executor tells better than this plugin could what is wrong with a document without an operation.
      if (operation === null || operation === undefined) return undefined;
      const items = longestArray(given);
      if (items > limits.listItems) {
        refuse([refusal(new SluiceError('LIST_TOO_LONG', { items, ceiling: limits.listItems }))]);
        return undefined;
      }
      const variables = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
        maxErrors: MAX_VARIABLE_ERRORS,
      });
      if (variables.errors !== undefined) {
        refuse(variables.errors.map(variableError));
        return undefined;
      }
      const measure = measureQuery({ schema, document, operation, variables: variables.coerced });
      requested = measure.cost;
      const refused = objection(measure, limits);
      if (refused !== null) {
        refuse([refusal(refused)]);
        return undefined;
      }
      extendContext({ budget });
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          setResult(withCost(result as ExecutionResult));
        },
      };
    },
  };
}

/** Keeps the code of the scalar that refused the value. Like a validation error, it is one of the request. */
function variableError(error: GraphQLError): GraphQLError {
  const { message, nodes, extensions } = maskError(error);
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { ...extensions, http: { spec: true, status: 400 } },
  });
}
