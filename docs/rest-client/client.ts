import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './sluice-rest.d.ts';

export type Sluice = Client<paths>;

/** A client of a gateway, typed by the OpenAPI document that the gateway serves. */
export function sluice(baseUrl: string, fetch?: (request: Request) => Promise<Response>): Sluice {
  return createClient<paths>({ baseUrl, ...(fetch && { fetch }) });
}

/** What went wrong, as the gateway tells it: `{error}`, `{metadata}` for what is not there, `{message}` on builders. */
export class SluiceFailure extends Error {
  override readonly name = 'SluiceFailure';
  readonly status: number;
  /** One of a growing list that never changes what a code means. */
  readonly code: string | null;

  constructor(response: Response, body: object) {
    const { message, metadata, error } = body as Readonly<Record<string, string | undefined>>;
    super(message ?? metadata ?? error ?? response.statusText);
    this.status = response.status;
    this.code = (body as { code?: string }).code ?? response.headers.get('x-error-code');
  }
}

interface Result<T> {
  readonly data?: T;
  readonly error?: object;
  readonly response: Response;
}

/** The data of an answer; anything else is thrown. */
export async function dataOf<T>(result: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await result;
  if (data === undefined) throw new SluiceFailure(response, error ?? {});
  return data;
}
