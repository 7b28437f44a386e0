import { type Action, documentText, PREVIEW } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { graphiqlUrl } from '../ui/graphiql-url.ts';
import { Failure } from '../ui/states.tsx';
import type { Verb } from './action.ts';
import { Effects, Warnings } from './effects.tsx';

export interface PreviewPartProps {
  readonly state: PreviewState;
  readonly action: Action | null;
  readonly verb: Verb;
  readonly symbol: string;
}

/** Effects of the action: before and after, fees and warnings. */
export function PreviewPart({ state, action, verb, symbol }: PreviewPartProps): ReactNode {
  const { preview } = state;
  if (state.status === 'none') return <p className="muted">Enter an amount to see what it changes.</p>;
  return (
    <section className="preview" aria-label="Preview" aria-busy={state.status === 'pending'}>
      {state.status === 'failed' && <Failure error={state.error} />}
      {preview === null ? (
        state.status === 'pending' && <p className="muted">Computing the effect…</p>
      ) : (
        <div className={state.status === 'ready' ? undefined : 'outdated'}>
          <Effects preview={preview} verb={verb} symbol={symbol} />
          {typeof preview.debtTerm?.description === 'string' && (
            <p className="muted">{preview.debtTerm.description}</p>
          )}
          {preview.fees.length === 0 && <p className="muted">No fee but that of the network.</p>}
          <Warnings warnings={preview.warnings} />
        </div>
      )}
      <a
        className="take-away"
        href={graphiqlUrl(documentText(PREVIEW), { action })}
        target="_blank"
        rel="noreferrer"
        aria-label="Open in GraphiQL: preview"
      >
        Open in GraphiQL
      </a>
    </section>
  );
}
