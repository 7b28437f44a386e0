import { SluiceError } from '../errors/sluice-error.ts';

/** One thing that is wrong with the input, in the words of the validator. */
export interface InputIssue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Input that does not fit an operation's schemas; the message names every field that is wrong. */
export class InvalidInput extends SluiceError<'BAD_REQUEST'> {
  readonly issues: readonly InputIssue[];

  constructor(issues: readonly InputIssue[]) {
    const sentences = issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    );
    super('BAD_REQUEST', { reason: sentences.join('; ') });
    this.issues = issues;
  }
}
