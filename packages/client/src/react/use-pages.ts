import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Answer } from '../answer.ts';
import type { Document } from '../document.ts';
import { hasCode, type SluiceError } from '../errors.ts';
import { useSession } from './context.tsx';
import { type QueryOptions, queryDefaults } from './use-query.ts';

/** Fields of a connection that `usePages` needs: select `nodes` and `pageInfo { endCursor hasNextPage }`. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
  /** Selected only when it is shown. */
  readonly totalCount?: number | null;
}

/** The variables of a document that takes the cursor as `$after: String`. */
export interface PageVariables {
  readonly after?: string | null | undefined;
}

export interface PagesOptions<Data, Node> extends QueryOptions {
  /** Finds the list in an answer, for example `(data) => data.vaults`. Null when its parent is null. */
  readonly connection: (data: Data) => Connection<Node> | null | undefined;
}

export interface Pages<Data, Node> {
  /** The items of all pages read so far. */
  readonly nodes: readonly Node[];
  /** Length of the whole list. Null when it is not selected or unknown, and before the first page. */
  readonly totalCount: number | null;
  readonly hasNext: boolean;
  /** Reads the next page. Does nothing at the end of the list and while a page is being read. */
  readonly loadMore: () => Promise<void>;
  /** Reads all pages again, from the first one on. */
  readonly refetch: () => Promise<void>;
  /** The answers behind `nodes`, first page first, with their errors, warnings and Views. */
  readonly answers: readonly Answer<Data>[];
  /** Before the first page. */
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly isFetching: boolean;
  /** The pages belong to the variables before; those of the current ones are being read. */
  readonly isPlaceholderData: boolean;
  /** Why the newest read failed. Pages that were read before it are kept. */
  readonly error: SluiceError | null;
}

/**
 * A list that is read page by page. The document takes the cursor as `$after: String`.
 *
 * @example
 * const { nodes, hasNext, loadMore } = usePages(VAULTS, { first: 20 }, { connection: ({ vaults }) => vaults });
 */
export function usePages<Data, Variables extends PageVariables, Node>(
  document: Document<Data, Variables>,
  variables: Omit<NoInfer<Variables>, 'after'>,
  { connection, ...options }: PagesOptions<NoInfer<Data>, Node>,
): Pages<Data, Node> {
  const session = useSession();
  const query = useInfiniteQuery<
    Answer<Data>,
    SluiceError,
    InfiniteData<Answer<Data>>,
    readonly unknown[],
    string | null
  >({
    ...queryDefaults(options),
    queryKey: [...session.keyOf(document, variables), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      session.read(document, { ...variables, after: pageParam } as unknown as Variables, { signal }),
    initialPageParam: null,
    getNextPageParam: ({ data }) => {
      const info = connection(data)?.pageInfo;
      return info?.hasNextPage ? info.endCursor : null;
    },
  });
  const { data } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `connection` is often written inline, and finds the same list on each render.
  const nodes = useMemo(
    () => data?.pages.flatMap((page) => connection(page.data)?.nodes ?? []) ?? [],
    [data],
  );
  const answers = data?.pages ?? [];
  const newest = answers.at(-1);
  return {
    nodes,
    totalCount: (newest && connection(newest.data)?.totalCount) ?? null,
    hasNext: query.hasNextPage,
    loadMore: async () => {
      if (!query.hasNextPage || query.isFetchingNextPage || query.isPlaceholderData) return;
      // The cursor of a long list expires with its View.
      if (hasCode(query.error, 'VIEW_GONE')) await query.refetch();
      // A refetch in progress is completed first: aborted, it would leave the pages before this one outdated.
      else if (query.isFetching) await query.refetch({ cancelRefetch: false });
      await query.fetchNextPage({ cancelRefetch: false });
    },
    refetch: async () => {
      await query.refetch();
    },
    answers,
    isLoading: query.isLoading,
    isLoadingMore: query.isFetchingNextPage,
    isFetching: query.isFetching,
    isPlaceholderData: query.isPlaceholderData,
    error: query.error,
  };
}
