import type { ActionPreview } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { Failure } from '../ui/states.tsx';
import { Warnings } from './effects.tsx';

interface PreviewSectionProps {
  readonly state: PreviewState;
  /** Tells what to enter. */
  readonly missing: string;
  /** Effects of the action. */
  readonly children: (preview: ActionPreview) => ReactNode;
  readonly footer?: ReactNode;
}

/** A preview in each of its states, with its warnings. */
export function PreviewSection({ state, missing, children, footer }: PreviewSectionProps): ReactNode {
  const { preview } = state;
  if (state.status === 'none') return <p className="muted">{missing}</p>;
  return (
    <section className="preview" aria-label="Preview" aria-busy={state.status === 'pending'}>
      {state.status === 'failed' && <Failure error={state.error} />}
      {preview === null ? (
        state.status === 'pending' && <p className="muted">Computing the effect…</p>
      ) : (
        <div className={state.status === 'ready' ? undefined : 'outdated'}>
          {children(preview)}
          <Warnings warnings={preview.warnings} />
        </div>
      )}
      {footer}
    </section>
  );
}
