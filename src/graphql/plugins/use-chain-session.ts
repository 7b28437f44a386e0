import type { ExecutionResult } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import { isSluiceError, SluiceError } from '../../errors/sluice-error.ts';
import { deadlineSignal } from '../../services/deadline.ts';
import type { Platform, SessionRequest } from '../../services/platform.ts';
import type { GraphQLContext } from '../context.ts';
import { refusal } from '../mask-error.ts';

/**
 * Opens the chain for a request before the first resolver runs, on the View that the request asks for, and tells in
 * `extensions.chain` what the answer was made of.
 */
export function useChainSession(platform: Platform, timeoutMs: number): Plugin<GraphQLContext> {
  return {
    async onExecute({ args, extendContext, setResultAndStopExecution }) {
      const { request, params } = args.contextValue as unknown as YogaInitialContext;
      const deadline = deadlineSignal(timeoutMs, 'The request', request.signal);
      try {
        const session = await platform.openSession({
          ...wantedState(request.headers, params.extensions),
          signal: deadline.signal,
        });
        extendContext({ session, platform });
        return {
          onExecuteDone({ result, setResult }) {
            deadline[Symbol.dispose]();
            if (Symbol.asyncIterator in result) return;
            const answer = result as ExecutionResult;
            setResult({ ...answer, extensions: { ...answer.extensions, chain: session.report() } });
          },
        };
      } catch (error) {
        deadline[Symbol.dispose]();
        if (!isSluiceError(error)) throw error;
        setResultAndStopExecution({ errors: [refusal(error)] });
        return undefined;
      }
    },
  };
}

/** The View and slot that a request names, in headers or in `extensions.chain`. */
function wantedState(headers: Headers, extensions: unknown): Pick<SessionRequest, 'view' | 'minSlot'> {
  const chain = (extensions as { chain?: { view?: unknown; minSlot?: unknown } } | null | undefined)?.chain;
  const view = wholeNumber('view', headers.get('x-view') ?? chain?.view);
  const minSlot = wholeNumber('minSlot', headers.get('x-min-slot') ?? chain?.minSlot);
  return { view: view === undefined ? undefined : Number(view), minSlot };
}

function wholeNumber(what: string, given: unknown): bigint | undefined {
  if (given === undefined || given === null) return undefined;
  const text = typeof given === 'string' || typeof given === 'number' ? String(given) : typeof given;
  if (!/^\d{1,15}$/.test(text)) {
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what,
      value: text.slice(0, 40),
      min: '0',
      max: '999999999999999',
    });
  }
  return BigInt(text);
}
