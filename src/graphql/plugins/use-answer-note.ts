import { type ExecutionResult, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { restOfCost } from './use-rate-limit.ts';

/**
 * Notes which answers may be given again while their View is current: those of queries that failed nowhere and were made
 * of the View alone. It goes behind the plugin that opens the chain.
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
          const { rpcRequests, accountsRead } = session.report();
          if (rpcRequests > 0 || accountsRead > 0) note.beyondView = true;
          if (note.beyondView || errors !== undefined || data === null || data === undefined) return;
          const { number, builtAtMs } = session.view.moment;
          note.made = { view: number, builtAtMs, units: restOfCost(trace.cost ?? 0) };
        },
      };
    },
  };
}
