import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isCodedError, SluiceError } from '../errors/sluice-error.ts';
import { asResponse } from '../http/encoded-answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { refusalAnswer } from '../http/refusals.ts';
import { boundedBody, requireJsonType, requireShallow } from '../http/request-body.ts';
import { mcpError, SERVER_ERROR } from './mcp-error.ts';

export interface McpHandlerOptions {
  readonly maxBodyBytes: number;
  /** A server for the caller of one request. */
  readonly serverFor: (request: Request, exchange: Exchange) => Server;
}

const NOT_ALLOWED = 'This is an MCP server (Streamable HTTP, without sessions and streams): send a POST.';

/** The MCP endpoint: one message per POST, answered by one JSON document. It is stateless. */
export function mcpHandler({ maxBodyBytes, serverFor }: McpHandlerOptions) {
  return async (request: Request, exchange: Exchange): Promise<Response> => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: 'POST' } });
    if (request.method !== 'POST') return notAllowed(exchange);
    try {
      requireJsonType(request.headers);
      const message = parsed(await boundedBody(request, maxBodyBytes));
      requireShallow(message);
      if (Array.isArray(message))
        throw new SluiceError('BAD_REQUEST', { reason: 'Send one message per request, not a batch.' });
      const server = serverFor(request, exchange);
      return (await isLegacyRequest(request, message))
        ? await serveLegacy(server, request, message)
        : await createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, {
            parsedBody: message,
          });
    } catch (error) {
      if (!isCodedError(error)) throw error;
      return asResponse(refusalAnswer(mcpError, error, exchange.trace));
    }
  };
}

/** Clients of the revisions of 2025, which open with `initialize`. */
async function serveLegacy(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  // JSON instead of a stream: the request is logged and counted when its work is done.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** @throws SluiceError BAD_REQUEST for anything but JSON */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new SluiceError('BAD_REQUEST', { reason: 'The body must be a JSON-RPC message.' });
  }
}

function notAllowed({ trace }: Exchange): Response {
  trace.codes = ['BAD_REQUEST'];
  const error = { code: SERVER_ERROR, message: NOT_ALLOWED, data: { code: 'BAD_REQUEST', retryable: false } };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 405, headers: { allow: 'POST' } });
}
