import { PlannedExecutor } from '@sluice/graphql-executor';
import { toDecimalJson } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { GraphQLContext, ServerContext } from './context.ts';
import { sharedObjects } from './shared-objects.ts';

const executor = new PlannedExecutor({
  leafSerializers: {
    Address: (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
    BigInt: (value) => (typeof value === 'bigint' ? `"${value}"` : undefined),
    // A rational caches its JSON, so a number that occurs twice is formatted once.
    Decimal: (value) => (value instanceof Rational ? toDecimalJson(value) : undefined),
  },
});

type Context = Pick<GraphQLContext, 'objects'> & Partial<GraphQLContext & Pick<ServerContext, 'note'>>;

/** Executes an operation with the planned executor; null for operations that graphql-js has to execute. */
export function executePlanned(args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> | null {
  const { objects, session, note, baseUrl, warnings } = args.contextValue as Context;
  const shared =
    session === undefined || note === undefined
      ? undefined
      : sharedObjects({ session, ...(baseUrl === undefined ? {} : { baseUrl }) });
  return executor.execute(args, { signal: objects.signal, counter: objects, shared, notices: warnings });
}
