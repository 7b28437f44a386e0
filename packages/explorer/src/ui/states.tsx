import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';

/** Shown while nothing can be shown yet. */
export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <output className="state loading" aria-busy="true">
      Loading {what}…
    </output>
  );
}

export function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="state empty">{children}</p>;
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
      <p>{error.message}</p>
      {'code' in error && <code>{error.code}</code>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
