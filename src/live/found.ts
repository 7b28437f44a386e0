import { isSluiceError, type SluiceError } from '../errors/sluice-error.ts';

/** What stands at an address: the thing, nothing of its kind, or bytes that cannot be read as one. */
export type Found<R> = R | SluiceError | null;

export function isFound<R>(found: Found<R>): found is R {
  return found !== null && !isSluiceError(found);
}

/** Whether two looks at an address gave the same when at least one of them did not give the thing. */
export function isSameAbsence(before: Found<unknown>, after: Found<unknown>): boolean {
  return presence(before) === presence(after);
}

function presence(found: Found<unknown>): string {
  if (found === null) return 'absent';
  return isSluiceError(found) ? found.code : 'present';
}
