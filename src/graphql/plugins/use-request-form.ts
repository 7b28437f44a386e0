import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import { requireShallow } from '../../http/request-body.ts';

const NOT_ACCEPTABLE =
  'Responses are application/json, application/graphql-response+json or, for subscriptions, text/event-stream: accept one of them.';

const JSON_TYPE = 'application/json';

/** Refuses unsupported media types of requests and responses with a coded error. */
export function useRequestForm(): Plugin {
  return {
    onRequest({ request: { headers } }) {
      const [type = ''] = headers.get('content-type')?.split(';') ?? [];
      // Media types are case-insensitive; the server library compares them exactly.
      if (type !== JSON_TYPE && type.trim().toLowerCase() === JSON_TYPE)
        headers.set('content-type', JSON_TYPE);
    },
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (requestParser === undefined) {
        // Other methods are refused elsewhere.
        if (request.method !== 'POST') return;
        throw new SluiceError('UNSUPPORTED_MEDIA_TYPE', {});
      }
      // The server library reports invalid JSON in URL parameters as an internal error.
      setRequestParser(async (request) => {
        try {
          const params = await requestParser(request);
          requireShallow(params);
          return params;
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          throw new SluiceError('BAD_REQUEST', { reason: '"variables" and "extensions" must be JSON.' });
        }
      });
    },
    onResponse({ response, setResponse, fetchAPI }) {
      if (response.status !== 406 || response.body !== null) return;
      const error = { message: NOT_ACCEPTABLE, extensions: { code: 'BAD_REQUEST', retryable: false } };
      const headers = { 'content-type': 'application/json' };
      setResponse(
        new fetchAPI.Response(JSON.stringify({ errors: [error] }), { status: response.status, headers }),
      );
    },
  };
}
