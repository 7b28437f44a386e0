import type { ReactNode } from 'react';

/** Text in a cell of a table, where numbers and names do not wrap. */
export function Sentence({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="sentence">{children}</span>;
}
