import { type ReactNode, useEffect } from 'react';

export interface PageProps {
  /** Heading of the page, and the title of the document unless `documentTitle` is given. */
  readonly title: ReactNode;
  /** Needed when the heading is not plain text. */
  readonly documentTitle?: string;
  /** Beside the heading, such as an address or a choice. */
  readonly aside?: ReactNode;
  /** One or two sentences below the heading. */
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** Heading and panels of a page. */
export function Page({ title, documentTitle, aside, lead, children }: PageProps): ReactNode {
  const name = documentTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    document.title = name === '' ? 'Sluice' : `${name} · Sluice`;
  }, [name]);
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {aside}
        {lead !== undefined && <p>{lead}</p>}
      </header>
      {children}
    </div>
  );
}
