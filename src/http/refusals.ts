import type { SluiceError } from '../errors/sluice-error.ts';
import { builderShape, errorAnswer, readShape } from '../rest/error-answers.ts';
import type { Operation } from '../rest/operation.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { PlainAnswer } from './encoded-answer.ts';

/** What a request costs before anybody has looked at it, and what it costs in all when its answer is at hand. */
export const PLAIN_COST = 1;

/** An operation that reads beside the View: accounts of a wallet, or history. */
const READING_COST = 5;
/** A builder reads what its transaction touches. */
const BUILDING_COST = 10;

/** What is left to take of an operation's cost when its answer is not at hand. */
export function restOfCost({ method, holds }: Pick<Operation, 'method' | 'holds'>): number {
  const cost = method === 'post' ? BUILDING_COST : holds === 'never' ? READING_COST : PLAIN_COST;
  return cost - PLAIN_COST;
}

/** Paths that are looked at by watchers and browsers, and cost next to nothing: nobody pays for them. */
const FREE = /^\/(?:$|health$|ready$|metrics$|docs(?:\/|$)|openapi\.json$|demo\.json$)/;

export const isFree = (path: string): boolean => FREE.test(path);

/** A refusal that comes before any operation, in the shape of the face that the target belongs to. */
export function refusedPlainly(target: string, error: SluiceError, trace: RequestTrace): PlainAnswer {
  trace.codes = [error.code];
  const { status, body, headers } = answerFor(target, error);
  const bytes = Buffer.from(JSON.stringify(body));
  const length = String(bytes.byteLength);
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': length,
      'cache-control': 'no-store',
    },
    body: bytes,
  };
}

function answerFor(target: string, error: SluiceError) {
  if (/^\/graphql(?:[/?]|$)/.test(target)) return graphAnswer(error);
  return errorAnswer(/^\/ktx\//.test(target) ? builderShape : readShape, error);
}

/** As the graph tells an error that concerns a request as a whole. */
function graphAnswer({ status, message, code, retryable, context }: SluiceError) {
  const numbers = Object.entries(context).filter(([, value]) => typeof value === 'number');
  const extensions = { ...Object.fromEntries(numbers), code, retryable };
  return { status, body: { errors: [{ message, extensions }] }, headers: {} };
}
