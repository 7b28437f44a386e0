import type { SluiceError } from '@sluice/client';
import type { ActionRun } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';
import { Failed, SeeTransactions } from './outcome.tsx';
import { NOTHING_REACHED, useReached } from './outcome-words.ts';

export interface RunStateProps {
  readonly run: ActionRun;
  /** Noun of what runs, such as `deposit`. */
  readonly what?: string;
  /** Buttons that belong to the state. */
  readonly children?: ReactNode;
}

/** Progress of an action, and its outcome. */
export function RunState({ run, what = 'action', children }: RunStateProps): ReactNode {
  const reached = useReached(run);
  switch (run.step) {
    case 'idle':
      return null;
    case 'failed':
      return <Failed error={run.error} what={what} reached={reached} />;
    case 'succeeded':
      return (
        <div className="act-form">
          <Notice tone="safe" title="Confirmed." />
          <div className="row">
            <SeeTransactions run={run} />
            {children}
          </div>
        </div>
      );
    default:
      return (
        <div className="row progress">
          <output>
            {progressText(run)}
            {'of' in run && run.of > 1 && ` (transaction ${run.number} of ${run.of})`}
          </output>
          {children}
        </div>
      );
  }
}

export interface RunProgressProps {
  readonly run: ActionRun;
  readonly isRunning: boolean;
  /** Why it could not be started. */
  readonly problem: SluiceError | null;
  readonly what?: string;
  readonly onStop: () => void;
}

/** The state below a button that signs and sends, with a button to stop. */
export function RunProgress({
  run,
  isRunning,
  problem,
  what = 'action',
  onStop,
}: RunProgressProps): ReactNode {
  return (
    <>
      {problem !== null && <Failed error={problem} what={what} reached={NOTHING_REACHED} />}
      <RunState run={run} what={what}>
        {isRunning && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </RunState>
    </>
  );
}

export function progressText(
  run: Extract<ActionRun, { step: 'building' | 'signing' | 'confirming' }>,
): string {
  switch (run.step) {
    case 'building':
      return 'Building the transaction…';
    case 'signing':
      return 'Waiting for the signature…';
    case 'confirming':
      return 'Sent. Waiting for confirmation…';
  }
}
