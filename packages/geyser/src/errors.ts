/** Status codes of gRPC. */
export const GrpcStatus = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatus = (typeof GrpcStatus)[keyof typeof GrpcStatus];

const NAMES = new Map<number, string>(Object.entries(GrpcStatus).map(([name, code]) => [code, name]));

/** A code that gRPC does not define is `UNKNOWN`. */
export function grpcStatusOf(code: number): GrpcStatus {
  return NAMES.has(code) ? (code as GrpcStatus) : GrpcStatus.UNKNOWN;
}

export function statusName(status: GrpcStatus): string {
  return NAMES.get(status) ?? 'UNKNOWN';
}

/** Failure of a call, from the server or from the connection. Its text has neither the URL nor the token. */
export class GeyserError extends Error {
  override readonly name = 'GeyserError';
  readonly status: GrpcStatus;

  constructor(status: GrpcStatus, message: string) {
    super(`${statusName(status)}: ${message}`);
    this.status = status;
  }
}

/** The bytes are not a message of the protocol. */
export function malformed(what: string): GeyserError {
  return new GeyserError(GrpcStatus.INTERNAL, `malformed message: ${what}`);
}
