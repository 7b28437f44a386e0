import type { CodedError } from '../errors/sluice-error.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { PlainAnswer } from './encoded-answer.ts';

/** An error in the body format of an API. */
export interface ErrorBody {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

/** Format of an error of an API. */
export type ErrorFormat = (error: CodedError) => ErrorBody;

/** The format of the API that a target belongs to. */
export type RefusalShape = (target: string) => ErrorFormat;

/** An error that is answered before any API has seen the request. */
export function refusalAnswer(format: ErrorFormat, error: CodedError, trace: RequestTrace): PlainAnswer {
  trace.codes = [error.code];
  const { status, body, headers } = format(error);
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(bytes.byteLength),
      'cache-control': 'no-store',
    },
    body: bytes,
  };
}
