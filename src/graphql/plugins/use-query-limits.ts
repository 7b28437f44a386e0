import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  getVariableValues,
} from 'graphql';
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
export function useQueryLimits(limits: QueryLimits): Plugin<GraphQLContext & ServerContext, ServerContext> {
  return {
    onExecute({ args, extendContext, setResultAndStopExecution }) {
      const examined = examine(args, limits);
      if (examined === null) return undefined;
      args.contextValue.trace.cost = examined.cost;
      const budget = new NodeBudget(limits.nodes);
      const withCost = (result: ExecutionResult) => toldCost(result, examined.cost, limits, budget);
      if (examined.errors.length > 0) {
        setResultAndStopExecution(withCost({ errors: examined.errors }));
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
    // A stream is held to the same limits when it is opened; its events pass above, one by one.
    onSubscribe({ args, setResultAndStopExecution }) {
      const examined = examine(args, limits);
      if (examined === null) return undefined;
      args.contextValue.trace.cost = examined.cost;
      const withCost = (result: ExecutionResult) =>
        toldCost(result, examined.cost, limits, new NodeBudget(limits.nodes));
      if (examined.errors.length > 0) {
        setResultAndStopExecution(withCost({ errors: examined.errors }));
        return undefined;
      }
      return {
        onSubscribeResult({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          setResult(withCost(result as ExecutionResult));
        },
      };
    },
  };
}

interface Examined {
  /** 0 when it was not computed. */
  readonly cost: number;
  readonly errors: readonly GraphQLError[];
}

/** Null for a document without an operation: the executor tells better what is wrong with it. */
function examine(args: ExecutionArgs, limits: QueryLimits): Examined | null {
  const { schema, document } = args;
  const given: Variables = args.variableValues ?? {};
  const operation = getOperationAST(document, args.operationName);
  if (operation === null || operation === undefined) return null;
  const items = longestArray(given);
  if (items > limits.listItems) {
    const error = new SluiceError('LIST_TOO_LONG', { items, ceiling: limits.listItems });
    return { cost: 0, errors: [refusal(error)] };
  }
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
    maxErrors: MAX_VARIABLE_ERRORS,
  });
  if (variables.errors !== undefined) return { cost: 0, errors: variables.errors.map(variableError) };
  const measure = measureQuery({ schema, document, operation, variables: variables.coerced });
  const refused = objection(measure, limits);
  return { cost: measure.cost, errors: refused === null ? [] : [refusal(refused)] };
}

function toldCost(
  result: ExecutionResult,
  requested: number,
  limits: QueryLimits,
  budget: NodeBudget,
): ExecutionResult {
  const { resolved, ceiling: resolvedCeiling } = budget;
  const cost = { requested, ceiling: limits.cost, resolved, resolvedCeiling };
  return { ...result, extensions: { ...result.extensions, cost } };
}

/** Keeps the code of the scalar that refused the value. Like a validation error, it is one of the request. */
function variableError(error: GraphQLError): GraphQLError {
  const { message, nodes, extensions } = maskError(error);
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { ...extensions, http: { spec: true, status: 400 } },
  });
}
