import { useCallback, useEffect, useState } from 'react';
import { useUrlState } from '../../ui/url-state.ts';
import type { Changes } from './token-groups.ts';

/** Least and greatest change of a price that the page offers, in percent. */
export const CHANGE_RANGE = { least: -90, most: 100, step: 5 } as const;
export const MOST_DAYS = 365;

/** What the reader supposes. */
export interface Supposition {
  readonly changes: Changes;
  readonly days: number;
}

export const NOTHING_SUPPOSED: Supposition = { changes: {}, days: 0 };

const DAYS = 'days';

/** As it stands in the link: `SOL.-20_wBTC.5_days.30`. */
export function suppositionText({ changes, days }: Supposition): string {
  const parts = Object.entries(changes).filter(([, change]) => change !== 0);
  return [...parts, ...(days === 0 ? [] : [[DAYS, days]])].map(([key, value]) => `${key}.${value}`).join('_');
}

/** What makes no sense in a link is left out. */
export function suppositionOf(text: string): Supposition {
  const changes: Record<string, number> = {};
  let days = 0;
  for (const part of text.split('_')) {
    const [, key, digits] = /^(.+)\.(-?\d{1,4})$/.exec(part) ?? [];
    if (key === undefined || digits === undefined) continue;
    const value = Number(digits);
    if (key === DAYS) days = within(value, 0, MOST_DAYS);
    else changes[key] = within(value, CHANGE_RANGE.least, CHANGE_RANGE.most);
  }
  return { changes, days };
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

export const isNothing = (supposed: Supposition): boolean => suppositionText(supposed) === '';

/** A slider has many steps, and browsers refuse too many changes of the address. */
const SETTLED_MS = 150;

/** The supposition of the page, in its link. */
export function useWhatIfState(): readonly [Supposition, (next: Supposition) => void] {
  const [stored, store] = useUrlState('if', '');
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => {
      store(draft);
      setDraft(null);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [draft, store]);
  const set = useCallback((next: Supposition) => setDraft(suppositionText(next)), []);
  return [suppositionOf(draft ?? stored), set];
}
