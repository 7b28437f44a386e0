import { boundedBody } from '../../http/request-body.ts';
import { InvalidInput } from './invalid-input.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Parses a JSON request body. A body without a content type counts as JSON. Rejects a body above `ceiling` bytes. */
export async function readJson(request: Request, ceiling: number): Promise<unknown> {
  const bytes = await boundedBody(request, ceiling);
  const type = request.headers.get('content-type');
  if (type !== null && !JSON_TYPE.test(type)) {
    throw badRequest('The body must be JSON. Send it with "Content-Type: application/json".');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

const badRequest = (message: string) => new InvalidInput([{ code: 'custom', path: [], message }]);
