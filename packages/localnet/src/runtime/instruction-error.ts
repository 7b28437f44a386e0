import { FAILURE_TEXTS } from './failure-texts.ts';

/** Why an instruction failed, in the shape in which an RPC reports it. */
export type InstructionFailure = string | { readonly Custom: number };

/** Thrown by a program. It fails the whole transaction, because a calling program cannot catch it. */
export class InstructionError extends Error {
  readonly failure: InstructionFailure;

  constructor(failure: InstructionFailure) {
    super(
      typeof failure === 'string'
        ? (FAILURE_TEXTS[failure] ?? failure)
        : `custom program error: 0x${failure.Custom.toString(16)}`,
    );
    this.failure = failure;
  }
}

/** An error of the program's own, by its number. */
export function customError(code: number): InstructionError {
  return new InstructionError({ Custom: code });
}
