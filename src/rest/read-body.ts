import { SluiceError } from '../errors/sluice-error.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** The JSON of a request's body; a body without a type is taken for JSON. Refuses what is larger than the ceiling. */
export async function readJson(request: Request, ceiling: number): Promise<unknown> {
  const bytes = await boundedBody(request, ceiling);
  const type = request.headers.get('content-type');
  if (type !== null && !JSON_TYPE.test(type)) {
    throw badRequest('The body must be JSON: send it with "Content-Type: application/json".');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not JSON.');
  }
}

async function boundedBody(request: Request, ceiling: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > ceiling) throw tooLarge(ceiling);
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > ceiling) {
      await reader?.cancel();
      throw tooLarge(ceiling);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

const badRequest = (reason: string) => new SluiceError('BAD_REQUEST', { reason });
const tooLarge = (ceiling: number) => new SluiceError('BODY_TOO_LARGE', { ceiling });
