/** Content types that a page may send to any site without asking it first. No type at all is one of them. */
const SIMPLE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;
/** Headers that a page cannot send without asking first; the second and third are those that Apollo's clients send. */
const ASKED_FOR = ['x-csrf-prevention', 'apollo-require-preflight', 'x-apollo-operation-name'];

/** Whether pages of an origin may read answers. */
interface AllowedOrigins {
  allows(origin: string | null): boolean;
}

/**
 * Whether a page of another site may have made a browser send the request without asking us first, by a form, a picture
 * or a link. A script that asks, and whose origin may read answers, did not; nor did anything that is no browser.
 */
export function isForged({ method, headers }: Request, origins: AllowedOrigins): boolean {
  if (ASKED_FOR.some((name) => (headers.get(name) ?? '') !== '')) return false;
  if (method === 'POST') {
    const type = headers.get('content-type')?.trim() ?? '';
    return type === '' || SIMPLE.test(type);
  }
  if (method !== 'GET' && method !== 'HEAD') return false;
  // Every browser tells where a GET comes from. EventSource cannot say more than that.
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  return headers.get('sec-fetch-mode') !== 'cors' || !origins.allows(headers.get('origin'));
}
