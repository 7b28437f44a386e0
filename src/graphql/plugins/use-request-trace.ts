import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { OperationOutcome } from '../../telemetry/request-trace.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';

const MAX_NAME_LENGTH = 100;

/** Collects the operation name, outcome, cost and View of a request for its log line and metrics. */
export function useRequestTrace(): Plugin<GraphQLContext & ServerContext, ServerContext> {
  return {
    onExecute: ({ args }) => noteName(args),
    onSubscribe: ({ args }) => noteName(args),
    onResultProcess({ result, serverContext: { trace } }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const { extensions, errors = [] } = result as Answer;
      trace.codes = errors.map((error) => String(error.extensions.code));
      trace.outcome = outcomeOf(result as Answer, trace.codes);
      trace.cost = extensions?.cost?.requested ?? null;
      trace.view = extensions?.chain?.view ?? null;
    },
  };
}

function noteName({ document, operationName, contextValue }: TracedArgs): void {
  const name = getOperationAST(document, operationName)?.name?.value;
  contextValue.trace.operation = name?.slice(0, MAX_NAME_LENGTH) ?? null;
}

interface TracedArgs extends Pick<ExecutionArgs, 'document' | 'operationName'> {
  readonly contextValue: ServerContext;
}

type Answer = ExecutionResult<
  Record<string, unknown>,
  { cost?: { requested: number }; chain?: { view: string } }
>;

function outcomeOf({ data }: Answer, codes: readonly string[]): OperationOutcome {
  if (codes.length === 0) return 'ok';
  if (data !== undefined && data !== null) return 'partial';
  return codes.includes('INTERNAL') ? 'failed' : 'refused';
}
