import { SluiceError } from '../../errors/sluice-error.ts';

/** One validation issue. */
export interface InputIssue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Input that fails the schemas of an operation. The message names every invalid field. */
export class InvalidInput extends SluiceError<'BAD_REQUEST'> {
  readonly issues: readonly InputIssue[];

  constructor(issues: readonly InputIssue[]) {
    const sentences = issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    );
    super('BAD_REQUEST', { reason: sentences.join('; ') }, stepOf(issues));
    this.issues = issues;
  }
}

/** The first step of a plan with an issue. */
function stepOf(issues: readonly InputIssue[]): { readonly step?: number } {
  for (const { path } of issues) {
    const [field, step] = path;
    if (field === 'actions' && typeof step === 'number') return { step };
  }
  return {};
}
