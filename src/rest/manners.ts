import { compressed, preferredCoding } from './content-coding.ts';
import type { Cors } from './cors.ts';

type Handler = (request: Request) => Promise<Response>;

/** A handler whose answers say who may read them, and that they are not to be stored unless they say otherwise. */
export function withManners(handle: Handler, cors: Cors): Handler {
  return async (request) => {
    const response = await handle(request);
    const { headers } = response;
    for (const [name, value] of Object.entries(cors.headers(request))) headers.set(name, value);
    if (cors.vary !== null) headers.append('vary', cors.vary);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    return response;
  };
}

const WHOLE_JSON = /^application\/(?:graphql-response\+)?json\b/;

/** Compresses an answer that is one JSON document; a stream is let through as it comes. */
export async function compressedJson(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!WHOLE_JSON.test(headers.get('content-type') ?? '')) return response;
  headers.append('vary', 'Accept-Encoding');
  const wanted = request.headers.get('accept-encoding');
  if (wanted === null || response.body === null) return response;
  const plain = new Uint8Array(await response.arrayBuffer());
  const coding = preferredCoding(wanted, plain.byteLength);
  const bytes = coding === 'identity' ? plain : await compressed(plain, coding);
  const kept = new Headers([...headers]);
  if (coding !== 'identity') kept.set('content-encoding', coding);
  kept.set('content-length', String(bytes.byteLength));
  return new Response(bytes as BodyInit, { status, headers: kept });
}
