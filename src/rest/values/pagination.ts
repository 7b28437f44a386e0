import { z } from '@hono/zod-openapi';
import { type Page, pageEnds } from '../../services/paging/paging.ts';
import { onceText } from './query-values.ts';

/** The token of a next page, as a parameter. An unknown one is rejected when the page is read. */
export const paginationToken = () =>
  onceText(
    'Token of the next page, from the answer before. Only valid for the same query; `limit` may differ. Omit it for the first page.',
  );

/** The token of the next page, in an answer. */
export const nextToken = () =>
  z.string().optional().openapi({ description: 'Token of the next page. Absent on the last page.' });

/** The field that leads to the next page; nothing on the last page. */
export function nextPage(page: Page<unknown>): { readonly paginationToken?: string } {
  const { endCursor } = pageEnds(page);
  return page.hasNextPage && endCursor !== null ? { paginationToken: endCursor } : {};
}
