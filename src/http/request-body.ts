import { SluiceError } from '../errors/sluice-error.ts';

/** A request's body, refused as soon as it is known to be larger than the ceiling: by its announced length or as it comes. */
export async function boundedBody(request: Request, ceiling: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > ceiling) throw bodyTooLarge(ceiling);
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > ceiling) {
      await reader?.cancel();
      throw bodyTooLarge(ceiling);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

export function bodyTooLarge(ceiling: number): SluiceError {
  return new SluiceError('BODY_TOO_LARGE', { ceiling });
}
