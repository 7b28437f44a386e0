import { useEffect, useState } from 'react';
import type { Document } from '../document.ts';
import { useSession } from './context.tsx';
import { CONNECTING, type Live } from './live-stream.ts';

const OFF = { state: 'off', event: null, error: null } as const;

/**
 * Follows a subscription and merges its events into every cached answer that shows the same objects: select `id` in both,
 * and the live fields by one fragment, because fields are matched by their names in the answer. Components with the same
 * document and variables share one stream. List all addresses of a page on one stream: browsers open six connections per
 * host.
 *
 * @example
 * const { state } = useLive(VAULT_VALUES, { addresses });
 */
export function useLive<Data, Variables>(
  document: Document<Data, Variables>,
  variables: NoInfer<Variables>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): Live<Data> {
  const session = useSession();
  const key = JSON.stringify(session.keyOf(document, variables));
  const [followed, setFollowed] = useState<{ readonly key: string; readonly live: Live<Data> } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the document and its variables.
  useEffect(() => {
    if (!enabled) return;
    return session.follow(document, variables, (live) => setFollowed({ key, live }));
  }, [session, key, enabled]);
  if (!enabled) return OFF;
  // Between a change of variables and the effect the state is that of the stream before.
  return followed?.key === key ? followed.live : CONNECTING;
}
