import { useSyncExternalStore } from 'react';

/** The reader's own API key, kept in this browser. It is sent with requests about alerts and with no others. */
const STORED = 'sluice.api-key';
const listeners = new Set<() => void>();

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // A browser may refuse storage: the key then lasts as long as the page.
    return null;
  }
}

let key = stored();

export function keepApiKey(next: string | null): void {
  key = next;
  try {
    if (next === null) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // Stays for this visit, see above.
  }
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const useApiKey = (): string | null => useSyncExternalStore(subscribe, () => key);
