/** The Views that can be read now, by number. */
export interface ReadableViews {
  /** Undefined before the first View. */
  newest(): number | undefined;
  isReadable(view: number): boolean;
}

/** Scope of requests that arrive before the first View. No View has this number. */
const BEFORE_FIRST_VIEW = -1;

/** The View that a request reads according to its headers; null if only the API can tell. */
export function requestedView(
  headers: { get(name: string): string | null },
  views: ReadableViews,
): number | null {
  if (headers.get('x-min-slot') !== null) return null;
  const named = headers.get('x-view');
  if (named === null) return views.newest() ?? BEFORE_FIRST_VIEW;
  return /^\d{1,15}$/.test(named) && views.isReadable(Number(named)) ? Number(named) : null;
}
