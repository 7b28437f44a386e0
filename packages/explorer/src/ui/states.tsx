import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** The shape of what is coming. */
export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <output className="state loading" aria-busy="true">
      <span className="visually-hidden">Loading {what}…</span>
      <i />
      <i />
      <i />
    </output>
  );
}

export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="state empty">{children}</p>;
}

/** Stands where a chart will be drawn when history is there. */
export function Awaited(): ReactNode {
  return <p className="state awaited">Drawn when history is there</p>;
}

/** An error with its code, which the documentation explains, and a way to try again. */
export function Failure({
  error,
  retry,
}: {
  readonly error: Error | SluiceError;
  readonly retry?: () => void;
}): ReactNode {
  return (
    <div className="state failure" role="alert">
      <Icon name="danger" />
      <div className="said">
        <p>{error.message}</p>
        {'code' in error && <code>{error.code}</code>}
        {retry !== undefined && (
          <button type="button" className="small" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}
