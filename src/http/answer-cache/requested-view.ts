/** The Views that can be read now, by id. */
export interface ReadableViews {
  /** Undefined before the first View. */
  newest(): string | undefined;
  isReadable(view: string): boolean;
}

/** Scope of requests that arrive before the first View. No View has this id. */
const BEFORE_FIRST_VIEW = '';

/**
 * The View that a request reads according to its headers, or to the View that it continues; null if only the API can
 * tell.
 */
export function requestedView(
  headers: { get(name: string): string | null },
  views: ReadableViews,
  continues?: string,
): string | null {
  if (headers.get('x-min-slot') !== null) return null;
  const named = headers.get('x-view');
  if (named === null && continues !== undefined && views.isReadable(continues)) return continues;
  if (named === null) return views.newest() ?? BEFORE_FIRST_VIEW;
  return views.isReadable(named) ? named : null;
}
