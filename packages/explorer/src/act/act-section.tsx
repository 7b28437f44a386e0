import type { ReactNode } from 'react';

interface ActSectionProps {
  /** Whether the form has the width of the page. */
  readonly isWide?: boolean;
  readonly title: string;
  /** Name of the region. Defaults to the title. */
  readonly label?: string;
  readonly controls: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a form that reads nothing before it is shown. */
export function ActSection({
  isWide = false,
  title,
  label = title,
  controls,
  children,
}: ActSectionProps): ReactNode {
  return (
    <section className={isWide ? 'panel act wide' : 'panel act'} aria-label={label}>
      <header>
        <h2>{title}</h2>
        {controls}
      </header>
      <div className="content">{children}</div>
    </section>
  );
}
