import type { CallToolResult } from '@modelcontextprotocol/server';
import { isCodedError, isRetryable, SluiceError } from '../errors/sluice-error.ts';
import type { GraphFailure } from './graph.ts';
import { withoutInvisible } from './untrusted-text.ts';

/** A coded error as the model reads it. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Numbers that the message mentions, such as `retryAfter` in seconds. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Ends a tool call with a coded error. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly error: ToolFailure;

  constructor(error: ToolFailure) {
    super(error.message);
    this.error = { ...error, message: withoutInvisible(error.message) };
  }
}

/** An error of the GraphQL API: its code, message and context are passed on. */
export function errorOf({ message, extensions }: GraphFailure): ToolFailure {
  if (extensions === undefined)
    return { code: 'INTERNAL', message: withoutInvisible(message), retryable: false, context: {} };
  const { code, retryable, http: _status, ...context } = extensions;
  return { code, message: withoutInvisible(message), retryable, context };
}

/** Anything that is not coded is a fault of ours, of which the caller sees nothing. */
export function codedError(error: unknown): ToolFailure {
  if (error instanceof ToolError) return error.error;
  const coded = isCodedError(error) ? error : new SluiceError('INTERNAL', {});
  const { code, message, context } = coded;
  const retryable = isRetryable(coded);
  const numbers = Object.entries(context).filter(([, value]) => typeof value === 'number');
  return { code, message: withoutInvisible(message), retryable, context: Object.fromEntries(numbers) };
}

/** The result of a call that failed. Its text is JSON: clients validate structured content even of failed calls. */
export function failedResult(error: ToolFailure): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] };
}
