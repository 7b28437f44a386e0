import type { View } from '../../chain/view/view.ts';

const CACHE = Symbol('cache');

/**
 * Cached values live on the View and are freed with it. In weak maps they would survive until the next full collection,
 * which costs more than most of the values when Views follow each other quickly.
 */
type CachingView = View & { [CACHE]?: unknown[] };

let slots = 0;

/** One cached value per View. */
export interface ViewCache<T> {
  get(view: View): T | undefined;
  set(view: View, value: T): void;
}

export function viewCache<T>(): ViewCache<T> {
  const slot = slots;
  slots += 1;
  return {
    get: (view: CachingView) => view[CACHE]?.[slot] as T | undefined,
    set(view: CachingView, value) {
      view[CACHE] ??= [];
      view[CACHE][slot] = value;
    },
  };
}

/** Memoizes a function of a View and one of its records for the lifetime of the View. */
export function perView<R extends object, T>(
  compute: (view: View, record: R) => T,
): (view: View, record: R) => T {
  const ofViews = viewCache<Map<R, T>>();
  return (view, record) => {
    let ofRecords = ofViews.get(view);
    if (ofRecords === undefined) {
      ofRecords = new Map();
      ofViews.set(view, ofRecords);
    }
    const cached = ofRecords.get(record);
    if (cached !== undefined || ofRecords.has(record)) return cached as T;
    const value = compute(view, record);
    ofRecords.set(record, value);
    return value;
  };
}
