import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { SluiceClient } from '../client.ts';
import { Session } from './session.ts';

const SessionContext = createContext<Session | null>(null);

/** A cache in which an answer is current for five seconds, about two Views: until then a component shows it as it is. */
export function createQueryClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } });
}

export interface SluiceProviderProps {
  readonly client: SluiceClient;
  /** Defaults to `createQueryClient()`. An application that uses TanStack Query already passes its own. */
  readonly queryClient?: QueryClient;
  readonly children: ReactNode;
}

/**
 * Provides a client and a cache to the hooks below it.
 *
 * @example
 * <SluiceProvider client={createClient({ url })}><App /></SluiceProvider>
 */
export function SluiceProvider({ client, queryClient, children }: SluiceProviderProps): ReactNode {
  const cache = useMemo(() => queryClient ?? createQueryClient(), [queryClient]);
  const session = useMemo(() => new Session(client, cache), [client, cache]);
  return (
    <QueryClientProvider client={cache}>
      <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
    </QueryClientProvider>
  );
}

/** The client and cache of the nearest `SluiceProvider`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Sluice hooks need a <SluiceProvider> above them.');
  return session;
}
