import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import type { Plugin, YogaServer } from 'graphql-yoga';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { EventCost } from '../../live/client-budget.ts';
import type { Live } from '../../live/live.ts';
import { type Watch, watchOf } from '../../live/update.ts';
import { WorkBudget } from '../../node/work-budget.ts';
import type { Platform } from '../../services/platform/platform.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { GraphQLContext, Opening, ServerContext } from '../context.ts';
import { eventPrice } from '../cost/event-price.ts';
import { refusal } from '../mask-error.ts';
import { isRootConditional } from '../subscriptions/conditional-root.ts';
import { eventExecution } from '../subscriptions/event-execution.ts';
import {
  acceptsEvents,
  acceptsOnlyEvents,
  eventStream,
  finishedStream,
} from '../subscriptions/event-responses.ts';
import { subscriptionKey } from '../subscriptions/subscription-key.ts';

export interface LiveOptions {
  readonly live: Live;
  readonly platform: Platform;
  readonly logger: Logger;
  readonly requestTimeoutMs: number;
  /** Most work for one event of a channel, or for those that one change brings. */
  readonly mostWork: number;
  /** Null: the origin of the request. */
  readonly publicUrl: string | null;
}

/** Carries the response body of an opened subscription. */
const BODY = Symbol('event stream body');
type OpenedResult = ExecutionResult & { readonly [BODY]?: ReadableStream<Uint8Array> };

/**
 * Serves subscriptions as server-sent events. Identical subscriptions share one channel: each event is executed once for
 * all of its clients, through all plugins like any request.
 */
export function useLive(options: LiveOptions): Plugin<GraphQLContext, ServerContext> {
  let yoga: YogaServer<ServerContext, GraphQLContext> | undefined;
  return {
    onYogaInit({ yoga: server }) {
      yoga = server;
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(async (args) => {
        if (yoga === undefined)
          throw new Error('a subscription was opened before the server was initialized');
        return await openStream(args, options, yoga);
      });
    },
    onResultProcess({ request, result, setResultProcessor }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const { [BODY]: body } = result as OpenedResult;
      if (body !== undefined) setResultProcessor(() => eventStream(body), 'text/event-stream');
      else if (acceptsOnlyEvents(request)) {
        const finished = finishedStream(result as ExecutionResult);
        if (finished !== null) setResultProcessor(() => finished, 'text/event-stream');
      }
    },
  };
}

async function openStream(
  args: ExecutionArgs,
  options: LiveOptions,
  yoga: YogaServer<ServerContext, GraphQLContext>,
): Promise<OpenedResult> {
  const { request, trace, allowance } = args.contextValue as ServerContext & { readonly request: Request };
  const operation = getOperationAST(args.document, args.operationName);
  if (operation && isRootConditional(args.document, operation)) {
    const reason = 'The root field of a subscription cannot have @skip or @include.';
    return { errors: [refusal(new SluiceError('BAD_REQUEST', { reason }))] };
  }
  if (!acceptsEvents(request)) return { errors: [refusal(new SluiceError('STREAM_NOT_ACCEPTED', {}))] };
  const opened = await openWatch(args, options, trace.cost ?? 0);
  if (!('watch' in opened)) return opened;
  const baseUrl = options.publicUrl ?? new URL(request.url).origin;
  try {
    const body = options.live.open({
      payer: allowance.streamBudget(),
      key: subscriptionKey(args, baseUrl),
      signal: request.signal,
      channel: () => ({
        watch: opened.watch,
        price: opened.price,
        openSession: (signal, sharing, caller) =>
          options.platform.openSession({
            work: new WorkBudget({ ceiling: options.mostWork, caller, signal }),
            sharing: { ...sharing, reads: options.live.reads },
          }),
        eventTimeoutMs: options.requestTimeoutMs,
        ...eventExecution({ args, yoga, baseUrl, logger: options.logger }),
      }),
      onEnd: ({ reason, durationMs, sent }) => {
        const { id, operation } = trace;
        options.logger.info(
          { id, operation, reason, durationMs: Math.round(durationMs), sent },
          'stream ended',
        );
      },
    });
    return { [BODY]: body };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { errors: [refusal(error)] };
  }
}

interface Watched {
  readonly watch: Watch;
  readonly price: EventCost;
}

/** Runs the subscribe resolver, which names the subject to watch. Returns its errors when the arguments are invalid. */
async function openWatch(
  args: ExecutionArgs,
  { live: { walletSearches }, platform: { sent } }: Pick<LiveOptions, 'live' | 'platform'>,
  documentCost: number,
): Promise<Watched | ExecutionResult> {
  let watched: Watched | undefined;
  const opening: Opening = {
    watch(field, items, subject) {
      watched = { watch: watchOf(subject), price: eventPrice(field, items, documentCost) };
      return NO_EVENTS;
    },
    walletSearches,
    sent,
  };
  const contextValue = { ...(args.contextValue as object), opening };
  const source = await createSourceEventStream({ ...args, contextValue });
  if (!(Symbol.asyncIterator in source)) return source;
  if (watched === undefined) throw new Error('the subscribe resolver watches nothing');
  return watched;
}

/** The channel produces the events for all clients; the source stream of a single client has none. */
const NO_EVENTS: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
