import type { ReactNode } from 'react';

/** The number for which one came to the page. There is one on a page. */
export function Headline({
  label,
  under,
  children,
}: {
  readonly label: ReactNode;
  /** A line below the number. */
  readonly under?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="headline">
      <span className="label">{label}</span>
      <div className="number">{children}</div>
      {under !== undefined && <p className="under">{under}</p>}
    </div>
  );
}
