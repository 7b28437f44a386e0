import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';

/** Refuses a body that is too large: by its announced length, otherwise as soon as too much of it has come. */
export function useBodyLimit(ceiling: number): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const announced = request.headers.get('content-length');
      if (announced !== null && Number(announced) > ceiling) throw tooLarge(ceiling);
      // The HTTP server holds a client to the length that it announced.
      if (announced !== null || requestParser === undefined || request.body === null) return;
      setRequestParser(async (unread) => requestParser(await withBoundedBody(unread, ceiling)));
    },
  };
}

async function withBoundedBody(request: Request, ceiling: number): Promise<Request> {
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
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}

function tooLarge(ceiling: number): SluiceError {
  return new SluiceError('BODY_TOO_LARGE', { ceiling });
}
