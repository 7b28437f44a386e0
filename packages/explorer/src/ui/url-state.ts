import { useCallback } from 'react';
import { useSearch } from 'wouter';
import { navigate, withState } from '../shell/hash-router.ts';

/**
 * State of the page that is part of its link, so that it can be shared and is there again after Back: sort, filter, range,
 * what-if. It changes the current entry of the history and makes none of its own.
 *
 * @param key short, and unique on its page
 * @param initial is not written into the link
 */
export function useUrlState(key: string, initial: string): readonly [string, (value: string) => void] {
  const value = new URLSearchParams(useSearch()).get(key) ?? initial;
  const set = useCallback(
    (next: string) => navigate(withState(key, next === initial ? null : next), { replace: true }),
    [key, initial],
  );
  return [value, set];
}

/** One of some words; another one in the link is ignored. */
export function useUrlChoice<Word extends string>(
  key: string,
  words: readonly Word[],
  initial: Word,
): readonly [Word, (word: Word) => void] {
  const [value, set] = useUrlState(key, initial);
  return [words.find((word) => word === value) ?? initial, set];
}
