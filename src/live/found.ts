import { isSluiceError, type SluiceError } from '../errors/sluice-error.ts';

/** The result of a lookup: the record, null when there is no account, or the error of an account that cannot be decoded. */
export type Found<R> = R | SluiceError | null;

export function isFound<R>(found: Found<R>): found is R {
  return found !== null && !isSluiceError(found);
}

/** Compares two lookups of which at least one found no record. */
export function isSameAbsence(before: Found<unknown>, after: Found<unknown>): boolean {
  return presence(before) === presence(after);
}

function presence(found: Found<unknown>): string {
  if (found === null) return 'absent';
  return isSluiceError(found) ? found.code : 'present';
}
