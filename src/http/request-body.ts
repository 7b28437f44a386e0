import { type CodedError, SluiceError } from '../errors/sluice-error.ts';

/** Any JSON type needs a CORS preflight; the types of forms, and none at all, do not. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Far deeper than any input of ours. Code that walks an input by recursion is safe up to here. */
const MAX_INPUT_DEPTH = 64;

/**
 * Refuses a body that a page of another site could send without a preflight. An empty body needs the type too: each path
 * that takes a POST takes JSON.
 */
export function requireJsonType(headers: Pick<Headers, 'get'>): void {
  if (!JSON_TYPE.test(headers.get('content-type')?.trim() ?? ''))
    throw new SluiceError('UNSUPPORTED_MEDIA_TYPE', {});
}

/** Refuses JSON that is nested too deep to walk. */
export function requireShallow(value: unknown): void {
  if (isDeeper(value, MAX_INPUT_DEPTH)) throw new SluiceError('INPUT_TOO_DEEP', { ceiling: MAX_INPUT_DEPTH });
}

/** The recursion ends at the ceiling, however deep the value is. */
function isDeeper(value: unknown, ceiling: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (ceiling === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((each) => isDeeper(each, ceiling - 1));
}

/** Reads a body and refuses it as soon as it is known to exceed the limit in bytes. */
export async function boundedBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge(limit);
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength;
    if (bytes > limit) {
      await reader?.cancel();
      throw bodyTooLarge(limit);
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
}

export function bodyTooLarge(limit: number): CodedError {
  return new SluiceError('BODY_TOO_LARGE', { ceiling: limit });
}
