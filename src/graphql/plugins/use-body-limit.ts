import type { Plugin } from 'graphql-yoga';
import { bodyTooLarge, boundedBody } from '../../http/request-body.ts';

/** Refuses a body over the limit: by its `Content-Length`, otherwise as soon as too many bytes have arrived. */
export function useBodyLimit(ceiling: number): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const announced = request.headers.get('content-length');
      if (announced !== null && Number(announced) > ceiling) throw bodyTooLarge(ceiling);
      // Node's HTTP server enforces an announced length.
      if (announced !== null || requestParser === undefined || request.body === null) return;
      setRequestParser(async (unread) => requestParser(await withBoundedBody(unread, ceiling)));
    },
  };
}

async function withBoundedBody(request: Request, ceiling: number): Promise<Request> {
  const body = await boundedBody(request, ceiling);
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: body as BodyInit });
}
