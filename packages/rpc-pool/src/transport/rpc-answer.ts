import { type Pause, parseAccountsJson, parseManyAccountsJson } from './account-json.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { parseExactJson, textOf } from './exact-json.ts';
import { type HttpReply, MAX_REUSED_BYTES } from './http-channel.ts';
import { hasExpectedShape } from './result-shapes.ts';
import { retryAfterMs } from './retry.ts';
import { asksForEncodedAccounts, type RpcRequest } from './rpc-request.ts';

/** Rate limits that some providers report inside a successful HTTP reply. */
const RATE_LIMIT_CODES = new Set([429, -32429]);
/** -32005: the node is behind or unhealthy. -32603: internal error. */
const ENDPOINT_FAULT_CODES = new Set([-32005, -32603]);
/** Not available yet: -32004 block not available, -32014 its status, -32016 minimum context slot, -32019 long-term storage. */
const NOT_YET_CODES = new Set([-32004, -32014, -32016, -32019]);
/** Not available from this node: -32001 block cleaned up, -32010 index, -32011 history, -32601 method. */
const NOT_HERE_CODES = new Set([-32001, -32010, -32011, -32601]);

/** Parses a body, a very large one in several turns of the event loop; undefined when it is not JSON. */
export function readBody({ method, params }: RpcRequest, body: Buffer, pause: Pause): unknown {
  try {
    if (!asksForEncodedAccounts(method, params)) return parseExactJson(textOf(body));
    return body.length > MAX_REUSED_BYTES
      ? parseManyAccountsJson(body, pause).catch(undefinedUnlessJson)
      : parseAccountsJson(body);
  } catch (error) {
    return undefinedUnlessJson(error);
  }
}

function undefinedUnlessJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error;
}

/** Extracts the result of a reply. @throws AttemptFailure */
export function readResult(
  request: RpcRequest,
  reply: HttpReply<unknown>,
  nowMs: number,
  hideSecrets: (text: string) => string,
): unknown {
  const { status } = reply;
  const pause = { retryAfterMs: retryAfterMs(reply.retryAfter, nowMs) };
  if (status === 429) throw new AttemptFailure('RPC_RATE_LIMITED', { reason: 'HTTP 429', ...pause });
  if (status >= 200 && status < 300) {
    const answer = checkedAnswer(request, reply.body);
    if (isPresent(answer.error)) throw refusal(answer.error, hideSecrets);
    if (!('result' in answer)) throw badResponse('it has neither result nor error');
    if (!hasExpectedShape(answer.result, request))
      throw badResponse('the result has not the shape of its method');
    return answer.result;
  }
  // Some servers reject a request with a 4xx status and a JSON-RPC error as body.
  const error = status >= 400 && status < 500 ? errorOf(request, reply.body) : undefined;
  if (isPresent(error)) throw refusal(error, hideSecrets);
  // A wrong key or forbidden method will not change; a server that is down may recover.
  const retry = status >= 500 || status === 408 ? 'ANYWHERE' : 'ELSEWHERE';
  // A method that the provider's plan excludes does not affect the endpoint's health.
  const endpointAtFault = status !== 403;
  throw new AttemptFailure('RPC_UNAVAILABLE', { reason: `HTTP ${status}`, retry, endpointAtFault, ...pause });
}

function checkedAnswer(request: RpcRequest, answer: unknown): { error?: unknown; result?: unknown } {
  if (answer === undefined) throw badResponse('it is not JSON');
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw badResponse('it is not a JSON-RPC answer');
  }
  const id = 'id' in answer ? answer.id : undefined;
  // A server that could not parse the request answers with an error and a null id.
  const answersUs = String(id) === request.id || (id === null && 'error' in answer);
  if (!answersUs) throw badResponse('it answers another request');
  return answer;
}

function errorOf(request: RpcRequest, answer: unknown): unknown {
  try {
    return checkedAnswer(request, answer).error;
  } catch {
    return undefined;
  }
}

function refusal(error: unknown, hideSecrets: (text: string) => string): AttemptFailure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code !== 'number' || !Number.isInteger(code)) return badResponse('its error has no code');
  const reason = `JSON-RPC error ${code}`;
  if (RATE_LIMIT_CODES.has(code)) return new AttemptFailure('RPC_RATE_LIMITED', { reason });
  if (ENDPOINT_FAULT_CODES.has(code)) return new AttemptFailure('RPC_UNAVAILABLE', { reason });
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  const data = typeof error === 'object' && error !== null && 'data' in error ? { rpcData: error.data } : {};
  return new AttemptFailure('RPC_REFUSED', {
    reason,
    endpointAtFault: false,
    retry: NOT_YET_CODES.has(code) ? 'ANYWHERE' : NOT_HERE_CODES.has(code) ? 'ELSEWHERE' : 'NEVER',
    refusal: {
      rpcCode: code,
      rpcMessage: hideSecrets(typeof message === 'string' ? message : ''),
      ...data,
    },
  });
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function badResponse(reason: string): AttemptFailure {
  return new AttemptFailure('RPC_BAD_RESPONSE', { reason });
}
