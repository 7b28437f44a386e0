/** Content types that a page may send to another site without a CORS preflight. A missing type counts as one. */
const SIMPLE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;
/** Headers that force a CORS preflight. Apollo's clients send the second and third. */
const ASKED_FOR = ['x-csrf-prevention', 'apollo-require-preflight', 'x-apollo-operation-name'];

/** Whether pages of an origin may read answers. */
interface AllowedOrigins {
  allows(origin: string | null): boolean;
}

/**
 * Whether a page of another site may have made a browser send this request without a preflight, through a form, an image
 * or a link. A CORS request from an allowed origin is not forged. Neither is a request from anything but a browser.
 */
export function isForged({ method, headers }: Request, origins: AllowedOrigins): boolean {
  if (ASKED_FOR.some((name) => (headers.get(name) ?? '') !== '')) return false;
  if (method === 'POST') {
    const type = headers.get('content-type')?.trim() ?? '';
    return type === '' || SIMPLE.test(type);
  }
  if (method !== 'GET' && method !== 'HEAD') return false;
  // Every browser sends Sec-Fetch-Site with a GET. EventSource cannot send a header of its own.
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  return headers.get('sec-fetch-mode') !== 'cors' || !origins.allows(headers.get('origin'));
}
