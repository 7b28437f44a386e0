import { type CodedError, isCodedError } from '../errors/sluice-error.ts';

/** The result of a lookup: the record, null when there is no account, or the error of an account that cannot be decoded. */
export type LookupResult<R> = R | CodedError | null;

export function isFound<R>(found: LookupResult<R>): found is R {
  return found !== null && !isCodedError(found);
}

/** Whether two lookups have the same outcome, given that at least one found no record: both absent, or the same error. */
export function isSameAbsence(before: LookupResult<unknown>, after: LookupResult<unknown>): boolean {
  return presence(before) === presence(after);
}

function presence(found: LookupResult<unknown>): string {
  if (found === null) return 'absent';
  return isCodedError(found) ? found.code : 'present';
}
