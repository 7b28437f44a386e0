import type { Plugin } from 'graphql-yoga';
import { bodyTooLarge, boundedBody } from '../../http/request-body.ts';

/** Refuses a body that is too large: by its announced length, otherwise as soon as too much of it has come. */
export function useBodyLimit(ceiling: number): Plugin {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      const announced = request.headers.get('content-length');
      if (announced !== null && Number(announced) > ceiling) throw bodyTooLarge(ceiling);
      // The HTTP server holds a client to the length that it announced.
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
