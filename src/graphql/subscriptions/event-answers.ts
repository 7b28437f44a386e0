import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { YogaServer } from 'graphql-yoga';
import type { ChannelWork } from '../../live/channel.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { traceOf } from '../../telemetry/request-trace.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { maskError } from '../mask-error.ts';
import { reportedErrors } from '../plugins/use-error-report.ts';
import { resultJson } from './result-json.ts';

export interface EventAnswers {
  /** The subscription as the first of its clients asked it. */
  readonly args: ExecutionArgs;
  readonly yoga: YogaServer<ServerContext, GraphQLContext>;
  readonly baseUrl: string;
  readonly logger: Logger;
}

const NO_HEADERS = new Headers();

/** How the events of a subscription are made: each is a request of its own, asked by nobody in particular. */
export function eventAnswers({
  args: { document, variableValues, operationName },
  yoga,
  baseUrl,
  logger,
}: EventAnswers): Pick<ChannelWork, 'answer' | 'failure'> {
  const { id } = traceOf(NO_HEADERS);
  const told = ({ errors, ...result }: ExecutionResult) =>
    resultJson(errors === undefined ? result : { ...result, errors: reportedErrors(errors, id, logger) });
  return {
    async answer(update, session) {
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
      return told(result);
    },
    failure: (error) => told({ errors: [maskError(error)] }),
  };
}
