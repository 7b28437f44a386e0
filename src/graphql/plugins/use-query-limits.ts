import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { WorkBudget } from '../../node/work-budget.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { exceededLimit, type QueryLimits } from '../cost/limits.ts';
import { longestArray, measureQuery, type Variables } from '../cost/measure.ts';
import { ResolvedObjects } from '../cost/resolved-objects.ts';
import { maskError, refusal } from '../mask-error.ts';

const MAX_VARIABLE_ERRORS = 20;

/**
 * Rejects queries that exceed a ceiling before anything is read, and reports the cost of a query, the number of resolved
 * objects, all work that was drawn and, if there are any, the steps of computations in `extensions.cost`.
 */
export function useQueryLimits(limits: QueryLimits): Plugin<GraphQLContext & ServerContext, ServerContext> {
  return {
    // Parsing and validating a large document takes as long as a turn may, and so does measuring and planning it.
    async onExecute({ args, extendContext, setResultAndStopExecution }) {
      const { session, work } = args.contextValue;
      const caller = (session?.work ?? work)?.caller;
      await scheduler.pause(caller);
      const examined = examine(args, limits);
      if (examined === null) return undefined;
      args.contextValue.trace.cost = examined.cost;
      const objects = new ResolvedObjects(session?.work ?? work ?? new WorkBudget({ ceiling: limits.nodes }));
      const withCost = (result: ExecutionResult) => withCostExtension(result, examined.cost, limits, objects);
      if (examined.errors.length > 0) {
        setResultAndStopExecution(withCost({ errors: examined.errors }));
        return undefined;
      }
      extendContext({ objects });
      await scheduler.pause(caller);
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          setResult(withCost(result as ExecutionResult));
        },
      };
    },
    // Checks a stream when it is opened; each of its events is executed and checked above.
    onSubscribe({ args, setResultAndStopExecution }) {
      const examined = examine(args, limits);
      if (examined === null) return undefined;
      args.contextValue.trace.cost = examined.cost;
      const work = args.contextValue.work ?? new WorkBudget({ ceiling: limits.nodes });
      const withCost = (result: ExecutionResult) =>
        withCostExtension(result, examined.cost, limits, new ResolvedObjects(work));
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
  /** 0 when the query was rejected before its cost was computed. */
  readonly cost: number;
  readonly errors: readonly GraphQLError[];
}

/** Null for a document without the operation: the executor reports that. */
function examine(args: ExecutionArgs, limits: QueryLimits): Examined | null {
  const { schema, document } = args;
  const provided: Variables = args.variableValues ?? {};
  const operation = getOperationAST(document, args.operationName);
  if (operation === null || operation === undefined) return null;
  const items = longestArray(provided);
  if (items > limits.listItems) {
    const error = new SluiceError('LIST_TOO_LONG', { items, ceiling: limits.listItems });
    return { cost: 0, errors: [refusal(error)] };
  }
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], provided, {
    maxErrors: MAX_VARIABLE_ERRORS,
  });
  if (variables.errors !== undefined) return { cost: 0, errors: variables.errors.map(variableError) };
  const measure = measureQuery({ schema, document, operation, variables: variables.coerced });
  const exceeded = exceededLimit(measure, limits);
  return { cost: measure.cost, errors: exceeded === null ? [] : [refusal(exceeded)] };
}

function withCostExtension(
  result: ExecutionResult,
  requested: number,
  limits: QueryLimits,
  { resolved, work }: ResolvedObjects,
): ExecutionResult {
  const folded = work.drawn('steps');
  const cost = {
    requested,
    ceiling: limits.cost,
    resolved,
    resolvedCeiling: limits.nodes,
    work: Math.ceil(work.units),
    ...(folded > 0 ? { folded } : {}),
  };
  return { ...result, extensions: { ...result.extensions, cost } };
}

/** Retains the code of the scalar that rejected the value. The status is 400, as for a validation error. */
function variableError(error: GraphQLError): GraphQLError {
  const { message, nodes, extensions } = maskError(error);
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { ...extensions, http: { spec: true, status: 400 } },
  });
}
