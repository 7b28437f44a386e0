import { type CodedError, isCodedError, SluiceError } from '../errors/sluice-error.ts';

const REASON = 'its disk is full';
/** ENOSPC and EDQUOT: names in Node, numbers in the file system of the embedded database (WebAssembly). */
const SYSTEM_CODES = ['ENOSPC', 'EDQUOT'];
const WASM_NUMBERS = [51, 19];
const WASM_ERROR = 'ErrnoError';

/** The SQLSTATE of a server that could not write for lack of space. */
export const DISK_FULL_STATE = '53100';

/** The error while the disk of the history has no space left. */
export function diskFull(cause?: unknown): CodedError {
  return new SluiceError('HISTORY_UNAVAILABLE', { reason: REASON }, { cause });
}

/** Whether an error, or one that caused it, says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (isCodedError(error, 'HISTORY_UNAVAILABLE') && error.context.reason === REASON) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const number = error.name === WASM_ERROR && 'errno' in error ? Number(error.errno) : 0;
  return SYSTEM_CODES.includes(code) || WASM_NUMBERS.includes(number) || isDiskFull(error.cause);
}
