import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { queryUnits } from './use-rate-limit.ts';

/** Notes which answers can be cached with their View. Must run after the plugin that opens the session. */
export function useAnswerNote(): Plugin<GraphQLContext & ServerContext, ServerContext> {
  return {
    onExecute({ args }) {
      const { note, session, trace } = args.contextValue;
      const operation = getOperationAST(args.document, args.operationName)?.operation;
      if (note === undefined || session === undefined || operation !== OperationTypeNode.QUERY)
        return undefined;
      return {
        onExecuteDone({ result }) {
          const { data, errors } = result as ExecutionResult;
          note.isFixedByView = session.isFixedByView;
          if (errors !== undefined || data === null || data === undefined) return;
          note.made = { view: session.view.moment.id, units: queryUnits(trace.cost ?? 0) };
        },
      };
    },
  };
}
