import { useSession } from '@sluice/client/react';
import { useQuery } from '@tanstack/react-query';

const REFRESH_MS = 30_000;

/**
 * Whether the gateway reads the chain itself or follows another one: `standalone`, `reader` or `follower`. Null until it is
 * known. It describes the process and not the chain, so only `/ready` reports it.
 */
export function useRole(): string | null {
  const { client } = useSession();
  const { data } = useQuery({
    queryKey: ['ready'],
    queryFn: async ({ signal }) =>
      roleOf(await (await fetch(new URL('ready', client.url), { signal })).json()),
    refetchInterval: REFRESH_MS,
  });
  return data ?? null;
}

/** The answer has no role before the first View. */
function roleOf(ready: { readonly chain?: { readonly role?: string } | null }): string | null {
  return ready.chain?.role ?? null;
}
