import type { Answer, SluiceError } from '@sluice/client';

/** State of a query that a panel shows: a result of `useSluiceQuery`, or of `usePages` by `pagesResult`. */
export interface PanelResult<Data> {
  /** Undefined before the first answer. */
  readonly data: Answer<Data> | undefined;
  /** Why the newest read failed. */
  readonly error: SluiceError | null;
  readonly isFetching: boolean;
  /** The answer belongs to the variables before. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => Promise<unknown>;
}
