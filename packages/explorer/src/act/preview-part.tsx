import { type Action, documentText, PREVIEW } from '@sluice/client';
import type { PreviewState } from '@sluice/client/react';
import type { ReactNode } from 'react';
import { graphiqlUrl } from '../ui/graphiql-url.ts';
import type { Verb } from './action.ts';
import { Effects } from './effects.tsx';
import { PreviewSection } from './preview-section.tsx';

export interface PreviewPartProps {
  readonly state: PreviewState;
  readonly action: Action | null;
  readonly verb: Verb;
  readonly symbol: string;
}

/** Effects of the action: before and after, fees and warnings. */
export function PreviewPart({ state, action, verb, symbol }: PreviewPartProps): ReactNode {
  return (
    <PreviewSection
      state={state}
      missing="Enter an amount to see what it changes."
      footer={
        <a
          className="take-away"
          href={graphiqlUrl(documentText(PREVIEW), { action })}
          target="_blank"
          rel="noreferrer"
          aria-label="Open in GraphiQL: preview"
        >
          Open in GraphiQL
        </a>
      }
    >
      {(preview) => (
        <>
          <Effects preview={preview} verb={verb} symbol={symbol} />
          {typeof preview.debtTerm?.description === 'string' && (
            <p className="muted">{preview.debtTerm.description}</p>
          )}
          {preview.fees.length === 0 && <p className="muted">No fee but that of the network.</p>}
        </>
      )}
    </PreviewSection>
  );
}
