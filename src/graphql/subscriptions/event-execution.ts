import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { YogaServer } from 'graphql-yoga';
import type { ChannelOptions } from '../../live/channel.ts';
import type { EventContent } from '../../live/event-bytes.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { traceOf } from '../../telemetry/request-trace.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { maskError } from '../mask-error.ts';
import { reportedErrors } from '../plugins/use-error-report.ts';
import { resultJson } from './result-json.ts';

export interface EventExecutionOptions {
  /** The request of the client that opened the channel. */
  readonly args: ExecutionArgs;
  readonly yoga: YogaServer<ServerContext, GraphQLContext>;
  readonly baseUrl: string;
  readonly logger: Logger;
}

const NO_HEADERS = new Headers();

/** Executes the events of a channel. Each event is a separate request that belongs to no client. */
export function eventExecution({
  args: { document, variableValues, operationName },
  yoga,
  baseUrl,
  logger,
}: EventExecutionOptions): Pick<ChannelOptions, 'execute' | 'failure'> {
  const { id } = traceOf(NO_HEADERS);
  const contentOf = ({ errors, extensions = {}, ...result }: ExecutionResult): EventContent => ({
    json: resultJson(
      errors === undefined ? result : { ...result, errors: reportedErrors(errors, id, logger) },
    ),
    extensions,
  });
  return {
    async execute(update, session) {
      const request = new Request(baseUrl, { signal: session.signal });
      const context = { request, params: {}, trace: traceOf(NO_HEADERS), session };
      const { schema, contextFactory, execute } = yoga.getEnveloped(context as never);
      const result: ExecutionResult = await execute({
        schema,
        document,
        rootValue: update,
        contextValue: await contextFactory(),
        variableValues,
        operationName,
      });
      return contentOf(result);
    },
    failure: (error) => contentOf({ errors: [maskError(error)] }),
  };
}
