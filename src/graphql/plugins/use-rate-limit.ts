import { type DocumentNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import { COST_PER_UNIT, REQUEST_COST, type Refusal } from '../../http/allowance.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { refusal } from '../mask-error.ts';

/** Characters of a document that equal one unit; parsing and validating take time in proportion. */
const CHARACTERS_PER_UNIT = 4_096;
/** Parsing and validating an invalid document is work too, and its result is not cached. */
const INVALID_DOCUMENT_UNITS = 9;

const NOT_A_STREAM = new SluiceError('UNAUTHENTICATED', {
  reason: 'A stream token opens subscriptions only: send the API key in a header',
});

/** Units of the caller's limit that a query takes on top of `REQUEST_COST`, which has been taken already. */
export function queryUnits(cost: number): number {
  return Math.max(0, Math.ceil(cost / COST_PER_UNIT) - REQUEST_COST);
}

/** Units for a long document, besides those of what it asks for. A cached answer takes none. */
const documentUnits = ({ loc }: DocumentNode): number =>
  Math.floor((loc?.source.body.length ?? 0) / CHARACTERS_PER_UNIT);

/**
 * Charges the cost of a query to its caller, after it was measured and before anything is read. Afterwards it charges the
 * drawn work that the cost did not cover: how many accounts a wallet has, and how many events a history, is known only then.
 */
export function useRateLimit(): Plugin<GraphQLContext & ServerContext, ServerContext> {
  const take = async (
    { allowance, trace, turn }: ServerContext,
    document: DocumentNode,
  ): Promise<Refusal> => {
    const decision = allowance.spend(queryUnits(trace.cost ?? 0) + documentUnits(document));
    if (!(decision instanceof Promise)) return decision;
    // Redis decides about many requests in one answer, and they would all go on in the same turn.
    const refused = await decision;
    await turn?.();
    return refused;
  };
  return {
    onParse: ({ context }) => {
      const { allowance } = context as ServerContext;
      return ({ result }) => {
        if (result instanceof Error) allowance.charge(INVALID_DOCUMENT_UNITS);
      };
    },
    onValidate: ({ context }) => {
      const { allowance } = context as ServerContext;
      return ({ valid }) => {
        if (!valid) allowance.charge(INVALID_DOCUMENT_UNITS);
      };
    },
    async onExecute({ args, setResultAndStopExecution }) {
      // The payers of a channel pay for its events before they are executed.
      const operation = getOperationAST(args.document, args.operationName);
      if (operation?.operation === 'subscription') return undefined;
      const { contextValue: context } = args;
      const refused = context.allowance.isForStreams ? NOT_A_STREAM : await take(context, args.document);
      if (refused !== null) {
        setResultAndStopExecution({ errors: [refusal(refused)] });
        return undefined;
      }
      const { work } = context;
      if (work === undefined) return undefined;
      work.pay(queryUnits(context.trace.cost ?? 0));
      return {
        onExecuteDone() {
          work.settle((units) => context.allowance.charge(units));
        },
      };
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      const refused = await take(args.contextValue, args.document);
      if (refused !== null) setResultAndStopExecution({ errors: [refusal(refused)] });
    },
  };
}
