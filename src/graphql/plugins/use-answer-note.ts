import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { queryUnits } from './use-rate-limit.ts';

/**
 * Notes which answers depend on their View alone: those of queries without errors that read nothing outside it. Must run
 * after the plugin that opens the session.
 */
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
          if (session.hasReadLive) note.beyondView = true;
          if (errors !== undefined || data === null || data === undefined) return;
          note.made = { view: session.view.moment.id, units: queryUnits(trace.cost ?? 0) };
        },
      };
    },
  };
}
