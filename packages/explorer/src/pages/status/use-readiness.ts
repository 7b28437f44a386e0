import { useSession } from '@sluice/client/react';
import { useQuery } from '@tanstack/react-query';

const REFRESH_MS = 10_000;

/** What the gateway says about its own process, beside the chain. */
export interface Readiness {
  /** Why it is not ready. */
  readonly reasons: readonly string[];
  /** `standalone`, `reader` or `follower`. Null before the first View. */
  readonly role: string | null;
  /** Figures of the chain that differ from those of the gateway. */
  readonly alarms: readonly string[];
}

/** Null until it is known: a proxy may keep the path to itself. */
export function useReadiness(): Readiness | null {
  const { client } = useSession();
  const { data } = useQuery({
    queryKey: ['readiness', client.url],
    queryFn: async ({ signal }) =>
      readinessOf(await (await fetch(new URL('ready', client.url), { signal })).json()),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
  return data ?? null;
}

interface Ready {
  readonly reasons?: readonly string[];
  readonly chain?: { readonly role?: string } | null;
  readonly drift?: { readonly alarms?: readonly unknown[] } | null;
}

const readinessOf = ({ reasons, chain, drift }: Ready): Readiness => ({
  reasons: reasons ?? [],
  role: chain?.role ?? null,
  alarms: (drift?.alarms ?? []).map((alarm) => (typeof alarm === 'string' ? alarm : JSON.stringify(alarm))),
});
