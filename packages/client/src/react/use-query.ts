import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Answer } from '../answer.ts';
import type { Document } from '../document.ts';
import type { SluiceError } from '../errors.ts';
import { useSession } from './context.tsx';

export interface QueryOptions {
  /** False: nothing is read yet, for example while an address is being typed. */
  readonly enabled?: boolean;
  /** Reads again after this many milliseconds. */
  readonly refetchMs?: number;
}

/** Start of every query key, also in an application's own cache. */
export const queryDefaults = ({ enabled = true, refetchMs }: QueryOptions) =>
  ({
    enabled,
    placeholderData: keepPreviousData,
    // The client has retried already.
    retry: false,
    // A gateway on this machine answers without a network.
    networkMode: 'always',
    ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
  }) as const;

/**
 * A typed query. `data` has the answer with its errors and the state of the chain behind it.
 *
 * @example
 * const { data, error } = useSluiceQuery(VAULTS, { first: 5 });
 */
export function useSluiceQuery<Data, Variables>(
  document: Document<Data, Variables>,
  variables: NoInfer<Variables>,
  options: QueryOptions = {},
): UseQueryResult<Answer<Data>, SluiceError> {
  const session = useSession();
  return useQuery<Answer<Data>, SluiceError>({
    ...queryDefaults(options),
    queryKey: session.keyOf(document, variables),
    queryFn: ({ signal }) => session.read(document, variables, { signal }),
  });
}
