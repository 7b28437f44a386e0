import { type CodedError, isCodedError } from '../errors/sluice-error.ts';
import type { PageAdmission } from '../http/allowance.ts';
import type { Connection } from '../http/exchange.ts';

interface PageResponses {
  readonly answer: () => Promise<Response>;
  readonly refused: (refusal: CodedError) => Response;
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
    if (isCodedError(refusal, 'RATE_LIMITED'))
      response.headers.set('retry-after', String(refusal.context.retryAfter));
    return response;
  }
  const response = await answer();
  if (method !== 'HEAD') pages.sent(headers, peer, Number(response.headers.get('content-length') ?? 0));
  return response;
}
