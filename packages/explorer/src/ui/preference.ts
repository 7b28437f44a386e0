import { useSyncExternalStore } from 'react';

/** A choice of the reader that this browser remembers, the same on every page and in every tab. */
export interface Preference<Word extends string> {
  readonly current: () => Word;
  readonly choose: (word: Word) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

export function preference<Word extends string>(
  name: string,
  words: readonly Word[],
  initial: Word,
): Preference<Word> {
  const key = `sluice.${name}`;
  const listeners = new Set<() => void>();
  let chosen = stored();

  function stored(): Word {
    try {
      const value = localStorage.getItem(key);
      return words.find((word) => word === value) ?? initial;
    } catch {
      // A browser may refuse storage, for example in a sandboxed frame: the choice then lasts as long as the page.
      return initial;
    }
  }

  addEventListener('storage', (event) => {
    if (event.key !== key) return;
    chosen = stored();
    for (const changed of listeners) changed();
  });
  return {
    current: () => chosen,
    choose(word) {
      chosen = word;
      try {
        localStorage.setItem(key, word);
      } catch {
        // Stays for this visit, see above.
      }
      for (const changed of listeners) changed();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

export const usePreference = <Word extends string>({ subscribe, current }: Preference<Word>): Word =>
  useSyncExternalStore(subscribe, current);
