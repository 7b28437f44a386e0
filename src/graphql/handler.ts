import type { YogaServerInstance } from 'graphql-yoga';
import { type CodedError, httpStatusOf, isCodedError, isRetryable } from '../errors/sluice-error.ts';
import type { RequestKeys } from '../http/answer-cache/request-key.ts';
import type { Responder } from '../http/answer-cache/responder.ts';
import { asResponse } from '../http/encoded-answer.ts';
import type { ExchangeHandler } from '../http/pipeline.ts';
import { type ErrorBody, refusalAnswer } from '../http/refusals.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { GraphQLContext, ServerContext } from './context.ts';

export interface GraphQLHandlerOptions {
  readonly yoga: YogaServerInstance<ServerContext, GraphQLContext>;
  readonly responder: Responder;
  readonly keys: RequestKeys;
  readonly tracing: Tracing | null;
}

const ALLOW = { allow: 'GET, POST' };

/** The GraphQL endpoint. A POST whose body the server has read already is answered from the cache where possible. */
export function graphqlHandler({ yoga, responder, keys, tracing }: GraphQLHandlerOptions): ExchangeHandler {
  return async (request, exchange, connection) => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: ALLOW });
    const incoming = connection?.incoming;
    const key =
      incoming?.headers === undefined ? null : keys.ofBody({ ...incoming, headers: incoming.headers });
    // Not `yoga.fetch`: it races every response against the request's signal and leaks the loser until the next full
    // garbage collection. The plugins watch the signal themselves.
    const respond = async () =>
      await responder.respond(
        request,
        exchange,
        key,
        async (note, signal) => await yoga.handleRequest(request, { ...exchange, note, signal }),
      );
    try {
      return await (tracing?.operation(exchange.trace, respond) ?? respond());
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return asResponse(refusalAnswer(graphqlError, error, exchange.trace));
    }
  };
}

/** An error that concerns the request as a whole. */
export function graphqlError(error: CodedError): ErrorBody {
  const { message, code, context } = error;
  const numbers = Object.entries(context).filter(([, value]) => typeof value === 'number');
  const extensions = { ...Object.fromEntries(numbers), code, retryable: isRetryable(error) };
  return { status: httpStatusOf(error), body: { errors: [{ message, extensions }] }, headers: {} };
}
