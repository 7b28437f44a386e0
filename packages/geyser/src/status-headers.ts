import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { GeyserError, GrpcStatus, grpcStatusOf } from './errors.ts';

/** Longest text of a server that goes into an error. */
const MAX_TEXT = 1_000;

export function statusHeaders(status: GrpcStatus, message: string): OutgoingHttpHeaders {
  if (message === '') return { 'grpc-status': String(status) };
  return { 'grpc-status': String(status), 'grpc-message': encodeMessage(message) };
}

/**
 * The outcome of a call in its headers or trailers. Undefined when they have none.
 *
 * @param secret taken out of the server's text
 */
export function outcomeOf(
  headers: IncomingHttpHeaders,
  secret: string | undefined,
): GeyserError | 'ok' | undefined {
  const code = headers['grpc-status'];
  if (typeof code !== 'string') return undefined;
  const status = /^\d{1,2}$/.test(code) ? grpcStatusOf(Number(code)) : GrpcStatus.UNKNOWN;
  if (status === GrpcStatus.OK) return 'ok';
  const text = headers['grpc-message'];
  return new GeyserError(status, cleanText(typeof text === 'string' ? text : '', secret));
}

/** Failure of an answer that is not of gRPC, such as a proxy's. Null for one that is. */
export function failureOfHttp(headers: IncomingHttpHeaders): GeyserError | null {
  const status = Number(headers[':status']);
  const isGrpc = headers['content-type']?.startsWith('application/grpc') ?? false;
  if (status === 200 && isGrpc) return null;
  const cause = status === 200 ? 'the answer is not gRPC' : `HTTP status ${status}`;
  return new GeyserError(HTTP_STATUS[status] ?? GrpcStatus.UNKNOWN, cause);
}

/** As gRPC maps them. */
const HTTP_STATUS: Readonly<Record<number, GrpcStatus>> = {
  400: GrpcStatus.INTERNAL,
  401: GrpcStatus.UNAUTHENTICATED,
  403: GrpcStatus.PERMISSION_DENIED,
  404: GrpcStatus.UNIMPLEMENTED,
  429: GrpcStatus.UNAVAILABLE,
  502: GrpcStatus.UNAVAILABLE,
  503: GrpcStatus.UNAVAILABLE,
  504: GrpcStatus.UNAVAILABLE,
};

/** Failure of a stream that the server reset. */
export function failureOfReset(code: number): GeyserError {
  const status = RESET_STATUS[code] ?? GrpcStatus.INTERNAL;
  return new GeyserError(status, `the server reset the stream (${code})`);
}

const RESET_STATUS: Readonly<Record<number, GrpcStatus>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: GrpcStatus.UNAVAILABLE,
  [constants.NGHTTP2_CANCEL]: GrpcStatus.CANCELLED,
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: GrpcStatus.RESOURCE_EXHAUSTED,
  [constants.NGHTTP2_INADEQUATE_SECURITY]: GrpcStatus.PERMISSION_DENIED,
};

/** Percent-encodes everything but printable ASCII. */
function encodeMessage(message: string): string {
  return [...Buffer.from(message, 'utf8')]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
}

/** Decodes percent escapes; a damaged one stays as it is. */
function decodeMessage(text: string): string {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const escaped = /^%([0-9a-f]{2})/i.exec(text.slice(i, i + 3))?.[1];
    bytes.push(escaped === undefined ? text.charCodeAt(i) & 0xff : Number.parseInt(escaped, 16));
    if (escaped !== undefined) i += 2;
  }
  return Buffer.from(bytes).toString('utf8');
}

function cleanText(text: string, secret: string | undefined): string {
  // A secret may be cut in half by the limit, so it goes first.
  const decoded = decodeMessage(text);
  const safe = secret === undefined || secret === '' ? decoded : decoded.replaceAll(secret, '***');
  return safe.slice(0, MAX_TEXT).replaceAll(/\p{Cc}/gu, ' ');
}
