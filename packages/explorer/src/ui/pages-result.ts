import type { Pages } from '@sluice/client/react';
import type { PanelResult } from './panel-result.ts';

/** Pages as the result of one query, for a `Panel`: its data is the first page, its errors are those of all pages. */
export function pagesResult<Data, Node>(pages: Pages<Data, Node>): PanelResult<Data> {
  const { answers, error, isFetching, isPlaceholderData, refetch } = pages;
  const [first] = answers;
  return {
    data: first && { ...first, errors: answers.flatMap(({ errors }) => errors) },
    error,
    isFetching,
    isPlaceholderData,
    refetch,
  };
}
