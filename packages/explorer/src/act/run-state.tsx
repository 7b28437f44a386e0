import type { ActionRun } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Address } from '../ui/address.tsx';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/states.tsx';

export interface RunStateProps {
  readonly run: ActionRun;
  /** Buttons that belong to the state. */
  readonly children?: ReactNode;
}

/** Progress of an action, and its outcome. */
export function RunState({ run, children }: RunStateProps): ReactNode {
  switch (run.step) {
    case 'idle':
      return null;
    case 'failed': {
      const { logs, name } = run.error.context;
      return (
        <div>
          {typeof name === 'string' && <strong>{name}</strong>}
          <Failure error={run.error} />
          {Array.isArray(logs) && logs.length > 0 && (
            <details>
              <summary>{logs.length} log lines</summary>
              <pre>{logs.join('\n')}</pre>
            </details>
          )}
        </div>
      );
    }
    case 'succeeded': {
      const { signatures, slot } = run.result;
      return (
        <div className="act-form">
          <Notice tone="safe" title="Confirmed.">
            Slot <data value={slot}>{slot}</data>
            <ul>
              {signatures.map((signature) => (
                <li key={signature}>
                  <Address address={signature} what="signature" />
                </li>
              ))}
            </ul>
          </Notice>
          <div className="row">{children}</div>
        </div>
      );
    }
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
  readonly problem: Parameters<typeof Failure>[0]['error'] | null;
  readonly onStop: () => void;
}

/** The state below a button that signs and sends, with a button to stop. */
export function RunProgress({ run, isRunning, problem, onStop }: RunProgressProps): ReactNode {
  return (
    <>
      {problem !== null && <Failure error={problem} />}
      <RunState run={run}>
        {isRunning && (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        )}
      </RunState>
    </>
  );
}

function progressText(run: Extract<ActionRun, { step: 'building' | 'signing' | 'confirming' }>): string {
  switch (run.step) {
    case 'building':
      return 'Building the transaction…';
    case 'signing':
      return 'Waiting for the signature…';
    case 'confirming':
      return 'Sent. Waiting for confirmation…';
  }
}
