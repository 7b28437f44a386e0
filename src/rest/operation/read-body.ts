import { boundedBody, requireJsonType, requireShallow } from '../../http/request-body.ts';
import { InvalidInput } from './invalid-input.ts';

/** Parses a JSON request body. Rejects any other type, and a body above `ceiling` bytes. */
export async function readJson(request: Request, ceiling: number): Promise<unknown> {
  requireJsonType(request.headers);
  const body = parsed(await boundedBody(request, ceiling));
  requireShallow(body);
  return body;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    const message = 'The body is not valid JSON.';
    throw new InvalidInput([{ code: 'custom', path: [], message }]);
  }
}
