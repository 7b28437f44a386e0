/** The segment in the specification; the platform's own service has another one. */
export const DEFAULT_SEGMENT = 'svc-market';

/** Null when it is not a path segment. */
export function segmentOf(given: string | undefined): string | null {
  const segment = given ?? DEFAULT_SEGMENT;
  return /^[A-Za-z0-9_-]+$/.test(segment) ? segment : null;
}

/** A base URL: paths are appended to it, so it must not have a query or a fragment. */
export function sourceUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = url.search === '' && url.hash === '' && /^https?:$/.test(url.protocol);
  return plain && isDecodable(url.username) && isDecodable(url.password) ? url : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
