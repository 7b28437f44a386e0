/** The values that each message needs. */
export type ProtocolErrorContext = {
  ADDRESS_INVALID: { value: string };
  DECIMAL_INVALID: { value: string };
  NUMBER_OUT_OF_RANGE: { what: string; value: string; min: string; max: string };

  ACCOUNT_WRONG_OWNER: { account: string; address?: string; expected: string; actual: string };
  ACCOUNT_WRONG_DISCRIMINATOR: { account: string; address?: string; expected: string; actual: string };
  ACCOUNT_TOO_SHORT: { account: string; address?: string; expected: number; actual: number };
  ACCOUNT_MALFORMED: { account: string; address?: string; reason: string };
  INSTRUCTION_UNKNOWN: { program: string; data: string };
  INSTRUCTION_MALFORMED: { instruction: string; reason: string };
};

/** Codes are never renamed or reused. */
export type ProtocolErrorCode = keyof ProtocolErrorContext;

const at = (address: string | undefined) => (address === undefined ? '' : ` at ${address}`);

export const PROTOCOL_MESSAGES: {
  readonly [C in ProtocolErrorCode]: (context: ProtocolErrorContext[C]) => string;
} = {
  ADDRESS_INVALID: (c) => `"${c.value}" is not a Solana address. Pass 32 bytes in base58.`,
  DECIMAL_INVALID: (c) =>
    `"${c.value}" is not a decimal. Use plain notation such as "12.5", without an exponent.`,
  NUMBER_OUT_OF_RANGE: (c) => `${c.what} is ${c.value}. It must be between ${c.min} and ${c.max}.`,

  ACCOUNT_WRONG_OWNER: (c) =>
    `The account${at(c.address)} is not a ${c.account}: it is owned by program ${c.actual}, not ${c.expected}.`,
  ACCOUNT_WRONG_DISCRIMINATOR: (c) =>
    `The account${at(c.address)} is not a ${c.account}: its discriminator is ${c.actual}, not ${c.expected}.`,
  ACCOUNT_TOO_SHORT: (c) =>
    `The account${at(c.address)} is too short for a ${c.account}: it has ${c.actual} bytes and needs at least ${c.expected}.`,
  ACCOUNT_MALFORMED: (c) => `The account${at(c.address)} is not a valid ${c.account}: ${c.reason}.`,
  INSTRUCTION_UNKNOWN: (c) =>
    `Program ${c.program} has no known instruction with data that starts with ${c.data}.`,
  INSTRUCTION_MALFORMED: (c) => `The instruction ${c.instruction} cannot be decoded: ${c.reason}.`,
};

/** Bytes, text or a number that this package cannot read: a code and the context of its message. */
export class ProtocolError<C extends ProtocolErrorCode = ProtocolErrorCode> extends Error {
  override readonly name = 'ProtocolError';
  readonly code: C;
  readonly context: ProtocolErrorContext[C];

  constructor(code: C, context: ProtocolErrorContext[C], options: { cause?: unknown } = {}) {
    super(PROTOCOL_MESSAGES[code](context), options);
    this.code = code;
    this.context = context;
  }
}

/**
 * Narrows an unknown error, optionally to one code.
 *
 * @example
 * if (isProtocolError(error, 'ACCOUNT_WRONG_OWNER')) return null;
 */
export function isProtocolError<C extends ProtocolErrorCode = ProtocolErrorCode>(
  error: unknown,
  code?: C,
): error is ProtocolError<C> {
  return error instanceof ProtocolError && (code === undefined || error.code === code);
}
