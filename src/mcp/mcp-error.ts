import { type CodedError, httpStatusOf, isRetryable } from '../errors/sluice-error.ts';
import type { ErrorBody } from '../http/refusals.ts';

export const MCP_PATH = '/mcp';
/** The JSON-RPC code of errors that a server defines itself. */
export const SERVER_ERROR = -32_000;

/** An error that concerns the request as a whole, as a JSON-RPC error with our code in its data. */
export function mcpError(error: CodedError): ErrorBody {
  const { message, code, context } = error;
  const numbers = Object.entries(context).filter(([, value]) => typeof value === 'number');
  const data = { ...Object.fromEntries(numbers), code, retryable: isRetryable(error) };
  return {
    status: httpStatusOf(error),
    body: { jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message, data } },
    headers: {},
  };
}
