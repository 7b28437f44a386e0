import { useSyncExternalStore } from 'react';
import type { BaseLocationHook } from 'wouter';

/**
 * Routes with their state in the fragment of the URL, `#/earn?vaults.sort=-apy`: every path of the gateway belongs to an API,
 * and a link to a page opens it as it was. wouter's own hook puts the state before the fragment, where it would stay when the
 * page changes.
 */
const CHANGED = 'hashchange';

function current(): readonly [path: string, search: string] {
  const [path = '', ...search] = location.hash.replace(/^#?\/?/, '').split('?');
  return [`/${path}`, search.join('?')];
}

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(location.href);
  url.hash = `/${to.replace(/^#?\/?/, '')}`;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  dispatchEvent(new Event(CHANGED));
}

function subscribe(changed: () => void): () => void {
  addEventListener(CHANGED, changed);
  addEventListener('popstate', changed);
  return () => {
    removeEventListener(CHANGED, changed);
    removeEventListener('popstate', changed);
  };
}

export const useHashSearch = (): string => useSyncExternalStore(subscribe, () => current()[1]);

export const useHashRoute: BaseLocationHook = () => [
  useSyncExternalStore(subscribe, () => current()[0]),
  navigate,
];
useHashRoute.hrefs = (href: string) => `#${href}`;
useHashRoute.searchHook = useHashSearch;

/** The route with one part of its state changed; null takes it out. */
export function withState(key: string, value: string | null): string {
  const [path, search] = current();
  const state = new URLSearchParams(search);
  if (value === null) state.delete(key);
  else state.set(key, value);
  const text = state.toString();
  return text === '' ? path : `${path}?${text}`;
}
