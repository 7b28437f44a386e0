import { type CodedError, SluiceError } from '../errors/sluice-error.ts';

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
