import { type ReactNode, useEffect } from 'react';

export interface PageProps {
  /** Heading of the page, and the title of the document unless `documentTitle` is given. */
  readonly title: ReactNode;
  /** Needed when the heading is not plain text. */
  readonly documentTitle?: string;
  /** The way to the page, above the heading. */
  readonly crumb?: ReactNode;
  /** The mark of what the page is about; what is beside the heading then stands below it, in one line. */
  readonly mark?: ReactNode;
  /** Beside the heading, such as an address or a choice. */
  readonly aside?: ReactNode;
  /** One or two sentences below the heading. */
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}

/** Heading and panels of a page. */
export function Page({ title, documentTitle, crumb, mark, aside, lead, children }: PageProps): ReactNode {
  const name = documentTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    document.title = name === '' ? 'Sluice' : `${name} · Sluice`;
  }, [name]);
  return (
    <div className="page">
      <header className="page-head">
        {crumb !== undefined && (
          <nav className="crumb" aria-label="Path">
            {crumb}
          </nav>
        )}
        {mark === undefined ? (
          <>
            <h1>{title}</h1>
            {aside}
          </>
        ) : (
          <div className="named">
            {mark}
            <div>
              <h1>{title}</h1>
              <div className="sub">{aside}</div>
            </div>
          </div>
        )}
        {lead !== undefined && <p>{lead}</p>}
      </header>
      {children}
    </div>
  );
}
