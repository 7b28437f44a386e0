import { type ExecutionArgs, type ExecutionResult, getOperationAST, Kind } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { AlertRegistry } from '../../alerts/registry.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { Platform } from '../../services/platform/platform.ts';
import { type RequestedStateInput, requestedState } from '../../services/platform/requested-state.ts';
import { requestDeadline } from '../../services/request/deadline.ts';
import type { Session } from '../../services/request/session.ts';
import type { GraphQLContext, ServerContext } from '../context.ts';
import { refusal } from '../mask-error.ts';
import { Warnings } from '../warnings.ts';

export interface ChainSessionOptions {
  readonly platform: Platform;
  readonly alerts: AlertRegistry;
  readonly requestTimeoutMs: number;
  /** Whether the data is that of a localnet, which `extensions.chain.localnet` says. */
  readonly localnet: boolean;
  /** Null: URLs in answers begin with the host that the request was sent to. */
  readonly publicUrl: string | null;
}

/**
 * Opens a chain session before the first resolver runs, on the View that the request names, and reports in
 * `extensions.chain` what the answer was made of, in `extensions.warnings` what its lists leave out.
 */
export function useChainSession({
  platform,
  alerts,
  requestTimeoutMs,
  localnet,
  publicUrl,
}: ChainSessionOptions): Plugin<GraphQLContext & Partial<ServerContext>> {
  return {
    async onExecute({ args, extendContext, setResultAndStopExecution }) {
      if (isIntrospection(args)) return undefined;
      const { request, params } = args.contextValue as unknown as YogaInitialContext;
      const baseUrl = publicUrl ?? new URL(request.url).origin;
      const given: Session | undefined = args.contextValue.session;
      const warnings = new Warnings();
      // An event of a subscription brings the session in which the change was seen.
      if (given !== undefined) {
        extendContext({ platform, alerts, baseUrl, warnings });
        return { onExecuteDone: (done) => report(done, given, warnings, localnet) };
      }
      const { signal = request.signal, startedAt = performance.now() } = args.contextValue;
      const deadline = requestDeadline(requestTimeoutMs, startedAt, signal);
      const { work } = args.contextValue.objects;
      work.follow(deadline.signal);
      try {
        const session = await platform.openSession({
          ...requestedState(requestedStateInput(request.headers, params.extensions)),
          work,
        });
        extendContext({ session, platform, alerts, baseUrl, warnings });
        return {
          onExecuteDone(done) {
            deadline[Symbol.dispose]();
            report(done, session, warnings, localnet);
          },
        };
      } catch (error) {
        deadline[Symbol.dispose]();
        if (!isCodedError(error)) throw error;
        setResultAndStopExecution({ errors: [refusal(error)] });
        return undefined;
      }
    },
  };
}

interface Done {
  readonly result: ExecutionResult | AsyncIterable<unknown>;
  setResult(result: ExecutionResult): void;
}

function report({ result, setResult }: Done, session: Session, { list }: Warnings, localnet: boolean): void {
  if (Symbol.asyncIterator in result) return;
  const warnings = list.length === 0 ? {} : { warnings: list };
  const chain = { ...session.report(), localnet };
  setResult({ ...result, extensions: { ...result.extensions, chain, ...warnings } });
}

/** The View and the slot that a request names, in its headers or in `extensions.chain`. */
function requestedStateInput(headers: Headers, extensions: unknown): RequestedStateInput {
  const chain = (extensions as { chain?: RequestedStateInput | null } | null | undefined)?.chain;
  return {
    view: headers.get('x-view') ?? chain?.view,
    minSlot: headers.get('x-min-slot') ?? chain?.minSlot,
  };
}

/** Introspection needs no chain, so it is answered before the first View. */
function isIntrospection({ document, operationName }: ExecutionArgs): boolean {
  const operation = getOperationAST(document, operationName);
  return (
    operation?.selectionSet.selections.every(
      (each) => each.kind === Kind.FIELD && each.name.value.startsWith('__'),
    ) ?? false
  );
}
