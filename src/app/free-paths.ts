import { isSluiceError, type SluiceError } from '../errors/sluice-error.ts';
import type { PageAdmission } from '../http/allowance.ts';
import type { Connection } from '../http/exchange.ts';

const PROBES = /^\/(?:health|ready)$/;
const PAGES = /^\/(?:$|metrics$|docs(?:\/|$)|explorer\/|graphql\/|openapi\.json$|llms\.txt$|demo\.json$)/;

/** Polled by orchestrators, and never refused: a refusal would cost as much as the answer. */
export const isProbe = (path: string): boolean => PROBES.test(path);

/** Needs no key, and has a limit apart from that of the APIs. */
export const isPage = (path: string): boolean => PAGES.test(path);

interface PageResponses {
  readonly answer: () => Promise<Response>;
  readonly refused: (refusal: SluiceError) => Response;
}

/** Answers a request for a page within the limit of its client, which pays for the bytes. */
export async function servePage(
  pages: PageAdmission,
  { method, headers }: Request,
  connection: Connection | undefined,
  { answer, refused }: PageResponses,
): Promise<Response> {
  const peer = connection?.incoming?.socket?.remoteAddress;
  const refusal = await pages.spend(headers, peer);
  if (refusal !== null) {
    const response = refused(refusal);
    if (isSluiceError(refusal, 'RATE_LIMITED'))
      response.headers.set('retry-after', String(refusal.context.retryAfter));
    return response;
  }
  const response = await answer();
  if (method !== 'HEAD') pages.sent(headers, peer, Number(response.headers.get('content-length') ?? 0));
  return response;
}
