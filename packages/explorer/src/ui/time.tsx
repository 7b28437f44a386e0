import type { ReactNode } from 'react';
import { dateTime, day } from '../format/dates.ts';

/** A time of the gateway in the reader's zone. The exact one, in UTC, is one hover away. */
export function Time({ value }: { readonly value: string }): ReactNode {
  return (
    <time dateTime={value} title={value}>
      {dateTime(new Date(value), new Date())}
    </time>
  );
}

/** A day of the gateway, in the reader's zone. */
export function Day({ value }: { readonly value: string }): ReactNode {
  return (
    <time dateTime={value} title={value}>
      {day(new Date(value), new Date())}
    </time>
  );
}
