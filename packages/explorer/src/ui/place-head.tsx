import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { PlaceMark, TokenMark } from './mark.tsx';

export interface PlaceHeadProps {
  /** The way to the page. */
  readonly path: readonly (readonly [name: string, href: string])[];
  /** The end of the path, in words. */
  readonly here?: string;
  readonly name: string;
  /** Symbol of the token that the page is about: a circle. Other things have a square with their name. */
  readonly mark?: string;
  /** Short facts in a row below the name. */
  readonly children?: ReactNode;
}

/** Path, mark and name of the thing that a page is about. */
export function PlaceHead({ path, here, name, mark, children }: PlaceHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${name} · Sluice`;
  }, [name]);
  return (
    <header className="place-head">
      <nav className="crumb" aria-label="Path">
        {path.map(([text, href], i) => (
          <span key={href}>
            {i > 0 && ' / '}
            <Link href={href}>{text}</Link>
          </span>
        ))}
        {here !== undefined && ` / ${here}`}
      </nav>
      <div className="place">
        {mark === undefined ? <PlaceMark name={name} size={56} /> : <TokenMark name={mark} size={56} />}
        <div>
          <h1>{name}</h1>
          <div className="facts-line">{children}</div>
        </div>
      </div>
    </header>
  );
}
