import type { ReactNode } from 'react';

/** A time of the gateway in the reader's zone. The exact one, in UTC, is one hover away. */
export function Time({ value }: { readonly value: string }): ReactNode {
  return (
    <time dateTime={value} title={value}>
      {new Date(value).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}
