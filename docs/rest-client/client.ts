import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './sluice-rest.d.ts';

export type Sluice = Client<paths>;

/** Creates a client with types from the OpenAPI document of the gateway. */
export function sluice(baseUrl: string, fetch?: (request: Request) => Promise<Response>): Sluice {
  return createClient<paths>({ baseUrl, ...(fetch && { fetch }) });
}

/** An error response of the gateway: `{error}` on reads, `{metadata}` for a missing account, `{message}` on builders. */
export class SluiceFailure extends Error {
  override readonly name = 'SluiceFailure';
  readonly status: number;
  /** Stable error code. Null when the response has none. */
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

/** Returns the data of an answer. Throws `SluiceFailure` for an error response. */
export async function dataOf<T>(result: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await result;
  if (data === undefined) throw new SluiceFailure(response, error ?? {});
  return data;
}
