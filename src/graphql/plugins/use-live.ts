import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import type { Plugin, YogaServer } from 'graphql-yoga';
import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import type { Live } from '../../live/live.ts';
import { type Subject, type Watch, watchOf } from '../../live/update.ts';
import type { Platform } from '../../services/platform.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { refusal } from '../mask-error.ts';
import { isRootConditional } from '../subscriptions/conditional-root.ts';
import { eventAnswers } from '../subscriptions/event-answers.ts';
import {
  acceptsEvents,
  eventStream,
  finishedStream,
  wantsEventsAlone,
} from '../subscriptions/event-responses.ts';
import { subscriptionKey } from '../subscriptions/subscription-key.ts';

export interface LiveOptions {
  readonly live: Live;
  readonly platform: Platform;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  /** Null: the address under which a request reached us. */
  readonly publicUrl: string | null;
}

/** The result of a subscription that was opened; its answer is the body. */
const BODY = Symbol('body of a stream');
type Opened = ExecutionResult & { readonly [BODY]?: ReadableStream<Uint8Array> };

/**
 * Answers subscriptions as server-sent events. What many clients ask for in the same words is one channel: its events
 * are executed once, like any request, through all plugins.
 */
export function useLive(options: LiveOptions): Plugin<GraphQLContext, ServerContext> {
  let yoga: YogaServer<ServerContext, GraphQLContext> | undefined;
  return {
    onYogaInit({ yoga: server }) {
      yoga = server;
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args) => {
        if (yoga === undefined) throw new Error('a subscription came before the server was there');
        return await opened(args, options, yoga);
      });
    },
    onResultProcess({ request, result, setResultProcessor }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const { [BODY]: body } = result as Opened;
      if (body !== undefined) setResultProcessor(() => eventStream(body), 'text/event-stream');
      else if (wantsEventsAlone(request)) {
        const finished = finishedStream(result as ExecutionResult);
        if (finished !== null) setResultProcessor(() => finished, 'text/event-stream');
      }
    },
  };
}

async function opened(
  args: ExecutionArgs,
  options: LiveOptions,
  yoga: YogaServer<ServerContext, GraphQLContext>,
): Promise<Opened> {
  const { request, trace, allowance } = args.contextValue as ServerContext & { readonly request: Request };
  const operation = getOperationAST(args.document, args.operationName);
  if (operation && isRootConditional(args.document, operation)) {
    const reason = 'The field of a subscription cannot stand under @skip or @include.';
    return { errors: [refusal(new SluiceError('BAD_REQUEST', { reason }))] };
  }
  if (!acceptsEvents(request)) return { errors: [refusal(new SluiceError('STREAM_NOT_ACCEPTED', {}))] };
  const watched = await watchedBy(args);
  if (!('watch' in watched)) return watched;
  const baseUrl = options.publicUrl ?? new URL(request.url).origin;
  try {
    const body = options.live.open({
      client: allowance.client,
      key: subscriptionKey(args, baseUrl),
      signal: request.signal,
      work: () => ({
        watch: watched.watch,
        openSession: (signal) => options.platform.openSession({ signal }),
        eventTimeoutMs: options.requestTimeoutMs,
        ...eventAnswers({ args, yoga, baseUrl, logger: options.logger }),
      }),
      onEnd: ({ why, durationMs, sent }) => {
        const { id, operation } = trace;
        options.logger.info({ id, operation, why, durationMs: Math.round(durationMs), sent }, 'stream ended');
      },
    });
    return { [BODY]: body };
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    return { errors: [refusal(error)] };
  }
}

/** What a subscription wants to hear of; the errors when it says so in a way that cannot be. */
async function watchedBy(args: ExecutionArgs): Promise<{ readonly watch: Watch } | ExecutionResult> {
  let watch: Watch | undefined;
  const contextValue = {
    ...(args.contextValue as object),
    watch<S>(subject: Subject<S>) {
      watch = watchOf(subject);
      return NO_EVENTS;
    },
  };
  const source = await createSourceEventStream({ ...args, contextValue });
  if (!(Symbol.asyncIterator in source)) return source;
  if (watch === undefined) throw new Error('a subscription watches nothing');
  return { watch };
}

/** Events are made by the channel, once for all who listen, and not by a stream of each listener. */
const NO_EVENTS: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
