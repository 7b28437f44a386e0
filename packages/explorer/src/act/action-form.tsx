import type { Action } from '@sluice/client';
import { type PreviewState, useAction } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { RunProgress, RunState } from './run-state.tsx';
import { useSending } from './use-sending.ts';
import type { ActWallet } from './wallet-context.tsx';

const PREVIEW_MS = 10_000;

interface ActionFormProps {
  /** Null while something is missing. */
  readonly action: Action | null;
  readonly wallet: ActWallet;
  readonly name: string;
  /** Effects of the action. */
  readonly previewed: (state: PreviewState) => ReactNode;
  readonly children: ReactNode;
}

/** A form without an amount field of its own: preview, signature and confirmation of an action. */
export function ActionForm({ action, wallet, name, previewed, children }: ActionFormProps): ReactNode {
  const { preview, run, isRunning, start, reset } = useAction(action, { refetchMs: PREVIEW_MS });
  const { send, problem } = useSending(wallet, start);
  const isBlocked =
    preview.status !== 'ready' || preview.preview.warnings.some(({ level }) => level === 'ERROR');
  if (run.step === 'succeeded')
    return (
      <RunState run={run}>
        <button type="button" className="primary" onClick={reset}>
          Act again
        </button>
      </RunState>
    );
  return (
    <form
      className="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlocked && !isRunning) void send();
      }}
    >
      {children}
      {previewed(preview)}
      <div className="row">
        <button type="submit" className="primary" disabled={isBlocked || isRunning}>
          {name}
        </button>
        <small className="muted">Signs with {wallet.name}</small>
      </div>
      <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
    </form>
  );
}
