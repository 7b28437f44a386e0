import type { ErrorCode } from '../error-codes.ts';
import { SluiceError } from '../errors.ts';

interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The step of a plan that cannot be built, from 0. */
  readonly step?: number | null;
}

/** A refusal that a builder or `sendTransaction` answered with, as an error. */
export function refusal({ code, message, step = null }: Refusal): SluiceError {
  // The schema has codes as strings; they are those of the gateway's table.
  const context = step === null ? {} : { step };
  return new SluiceError(message, { code: code as ErrorCode, retryable: false, context });
}
