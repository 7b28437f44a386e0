import { useRef, useState } from 'react';
import type { ActionProgress, ActionResult, RunActionOptions } from '../actions/run-action.ts';
import type { SluiceClient } from '../client.ts';
import { SluiceError } from '../errors.ts';
import type { TransactionSigner } from '../signers.ts';
import { useSession } from './context.tsx';

/** Progress of an action or a plan. */
export type ActionRun =
  | { readonly step: 'idle' }
  | ActionProgress
  | { readonly step: 'succeeded'; readonly result: ActionResult }
  /** `error.code` says why: a refusal of a builder, the wallet's, or the failure of the transaction. */
  | { readonly step: 'failed'; readonly error: SluiceError };

export interface RunState {
  readonly run: ActionRun;
  readonly isRunning: boolean;
  /**
   * Builds, signs, sends and confirms, and then reads the page again from a View with the effect. Returns null when it
   * failed or was stopped: `run` says why. Null while there is nothing to run, and while something runs.
   */
  readonly start: ((signer: TransactionSigner) => Promise<ActionResult | null>) | null;
  /** Back to idle. Stops what runs before its next step; a transaction that was sent may still be confirmed. */
  readonly reset: () => void;
}

/** Input of `runAction` or `runPlan`. */
export type Runner = (
  client: SluiceClient,
  signer: TransactionSigner,
  options: RunActionOptions,
) => Promise<ActionResult>;

const IDLE = { step: 'idle' } as const;
const AT_REST: readonly ActionRun['step'][] = ['idle', 'succeeded', 'failed'];

/** One run at a time, with its progress as state. */
export function useRun(runner: Runner | null): RunState {
  const session = useSession();
  const [run, setRun] = useState<ActionRun>(IDLE);
  const current = useRef<AbortController | null>(null);

  async function start(signer: TransactionSigner, started: Runner): Promise<ActionResult | null> {
    // A second click before the next render.
    if (current.current !== null) return null;
    const own = new AbortController();
    current.current = own;
    const show = (next: ActionRun) => {
      if (current.current === own) setRun(next);
    };
    const end = (last: ActionRun) => {
      show(last);
      if (current.current === own) current.current = null;
    };
    try {
      show({ step: 'building' });
      const result = await started(session.client, signer, { onProgress: show, signal: own.signal });
      end({ step: 'succeeded', result });
      await session.refreshAfter(result.slot);
      return result;
    } catch (error) {
      if (own.signal.aborted) return null;
      if (!(error instanceof SluiceError)) {
        end(IDLE);
        throw error;
      }
      end({ step: 'failed', error });
      // A transaction that failed in a block has paid its fee.
      if (typeof error.context.slot === 'string') await session.refreshAfter(error.context.slot);
      return null;
    }
  }

  const isRunning = !AT_REST.includes(run.step);
  return {
    run,
    isRunning,
    start: runner === null || isRunning ? null : (signer) => start(signer, runner),
    reset: () => {
      current.current?.abort();
      current.current = null;
      setRun(IDLE);
    },
  };
}
