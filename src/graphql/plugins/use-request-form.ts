import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';

const NOT_READ =
  'The body must be JSON: send it with "Content-Type: application/json", or the query in the URL by GET.';
const NOT_SENT =
  'The answer is application/json, application/graphql-response+json or, of a stream, text/event-stream: accept one of them.';

const JSON_TYPE = 'application/json';

/** Refuses what has a form that is not read or wants one that is not sent, with a code as everything else. */
export function useRequestForm(): Plugin {
  return {
    onRequest({ request: { headers } }) {
      const [type = ''] = headers.get('content-type')?.split(';') ?? [];
      // A type is the same in any case; the server library compares letters.
      if (type !== JSON_TYPE && type.trim().toLowerCase() === JSON_TYPE)
        headers.set('content-type', JSON_TYPE);
    },
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (requestParser === undefined) {
        // Another method has a refusal of its own.
        if (request.method !== 'POST') return;
        throw new GraphQLError(NOT_READ, {
          extensions: { code: 'BAD_REQUEST', retryable: false, http: { status: 415 } },
        });
      }
      // Parameters of a URL are parsed without a word of their own about what is no JSON.
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          throw new SluiceError('BAD_REQUEST', { reason: '"variables" and "extensions" must be JSON.' });
        }
      });
    },
    onResponse({ response, setResponse, fetchAPI }) {
      if (response.status !== 406 || response.body !== null) return;
      const error = { message: NOT_SENT, extensions: { code: 'BAD_REQUEST', retryable: false } };
      const headers = { 'content-type': 'application/json' };
      setResponse(
        new fetchAPI.Response(JSON.stringify({ errors: [error] }), { status: response.status, headers }),
      );
    },
  };
}
