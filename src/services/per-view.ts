import type { View } from '../chain/view.ts';

const KEPT = Symbol('kept');

/**
 * What is kept lies on the View itself and ends with it. In weak maps it would stay until the next whole collection,
 * which costs more than most of the facts when Views follow each other quickly.
 */
type Keeper = View & { [KEPT]?: unknown[] };

let places = 0;

/** One thing that every View may keep. */
export interface OnView<T> {
  get(view: View): T | undefined;
  set(view: View, value: T): void;
}

export function onView<T>(): OnView<T> {
  const place = places;
  places += 1;
  return {
    get: (view: Keeper) => view[KEPT]?.[place] as T | undefined,
    set(view: Keeper, value) {
      view[KEPT] ??= [];
      view[KEPT][place] = value;
    },
  };
}

/** A fact that a View and one of its records decide: worked out when it is first asked for, kept as long as the View is. */
export function perView<R extends object, T>(
  work: (view: View, record: R) => T,
): (view: View, record: R) => T {
  const ofViews = onView<Map<R, T>>();
  return (view, record) => {
    let ofRecords = ofViews.get(view);
    if (ofRecords === undefined) {
      ofRecords = new Map();
      ofViews.set(view, ofRecords);
    }
    const known = ofRecords.get(record);
    if (known !== undefined || ofRecords.has(record)) return known as T;
    const fact = work(view, record);
    ofRecords.set(record, fact);
    return fact;
  };
}
