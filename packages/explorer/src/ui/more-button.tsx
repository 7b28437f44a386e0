import type { Pages } from '@sluice/client/react';
import type { ReactNode } from 'react';

export interface MoreButtonProps {
  readonly pages: Pick<
    Pages<unknown, unknown>,
    'nodes' | 'totalCount' | 'hasNext' | 'isLoadingMore' | 'loadMore'
  >;
  /** Name of the items, for example `loans`. */
  readonly what: string;
}

/** Reads the next page of a list. Nothing at its end. */
export function MoreButton({ pages, what }: MoreButtonProps): ReactNode {
  if (!pages.hasNext) return null;
  const { nodes, totalCount } = pages;
  return (
    <p className="more">
      <button type="button" disabled={pages.isLoadingMore} onClick={() => void pages.loadMore()}>
        {pages.isLoadingMore ? `Loading more ${what}…` : `Show more ${what}`}
      </button>{' '}
      <span className="muted">
        {totalCount === null ? `${nodes.length} shown` : `${nodes.length} of ${totalCount} shown`}
      </span>
    </p>
  );
}
