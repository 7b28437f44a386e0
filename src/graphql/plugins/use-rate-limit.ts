import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Refusal } from '../../http/allowance.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { refusal } from '../mask-error.ts';

/** So much of what a query costs is as much as a plain request. */
const COST_OF_A_PLAIN_REQUEST = 100;
/** What was taken before the query was looked at. */
const TAKEN_BEFORE = 1;
/** To parse and check what turns out to be wrong is work too, and it is not kept. */
const WRONG_DOCUMENT = 9;

/** What is left to take of a query's cost, in units of the caller's limit. */
export function restOfCost(cost: number): number {
  return Math.max(0, Math.ceil(cost / COST_OF_A_PLAIN_REQUEST) - TAKEN_BEFORE);
}

/** Takes the cost of a query from what its caller may spend, after it was measured and before anything is read. */
export function useRateLimit(): Plugin<GraphQLContext & ServerContext, ServerContext> {
  const take = ({ allowance, trace }: ServerContext): Refusal | Promise<Refusal> =>
    allowance.spend(restOfCost(trace.cost ?? 0));
  return {
    onParse: ({ context }) => {
      const { allowance } = context as ServerContext;
      return ({ result }) => {
        if (result instanceof Error) allowance.charge(WRONG_DOCUMENT);
      };
    },
    onValidate: ({ context }) => {
      const { allowance } = context as ServerContext;
      return ({ valid }) => {
        if (!valid) allowance.charge(WRONG_DOCUMENT);
      };
    },
    async onExecute({ args, setResultAndStopExecution }) {
      // The events of a stream are paid for when it is opened.
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation === 'subscription') return;
      const refused = await take(args.contextValue);
      if (refused !== null) setResultAndStopExecution({ errors: [refusal(refused)] });
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const refused = await take(args.contextValue);
      if (refused !== null) setResultAndStopExecution({ errors: [refusal(refused)] });
    },
  };
}
