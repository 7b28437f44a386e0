import type { ReactNode } from 'react';

/** Key numbers side by side. Its children are `Figure`s. */
export function Figures({ children }: { readonly children: ReactNode }): ReactNode {
  return <dl className="figures">{children}</dl>;
}

export interface FigureProps {
  readonly name: string;
  /** Explanation of the number, shown on hover. */
  readonly hint?: string;
  /** A second, smaller line. */
  readonly detail?: ReactNode;
  readonly children: ReactNode;
}

export function Figure({ name, hint, detail, children }: FigureProps): ReactNode {
  return (
    <div className="figure">
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
      {detail !== undefined && <dd className="detail">{detail}</dd>}
    </div>
  );
}
