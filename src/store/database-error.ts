import { type CodedError, isCodedError, SluiceError } from '../errors/sluice-error.ts';
import { DISK_FULL_STATE, diskFull } from './disk-full.ts';

/**
 * SQLSTATE classes for a database that cannot serve now, as opposed to a statement that is wrong: connection,
 * transaction conflict, resources, operator intervention, system, login, missing database, lock, read-only
 * standby.
 */
const UNAVAILABLE = /^(08|40|53|57|58|28)|^(3D000|55P03|25006)$/;
/** Five letters and digits, but neither a system error code (EPIPE) nor a Prisma code (P2028). */
const SQL_STATE = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/;
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/**
 * Maps an error of the driver or Prisma to a coded error. The original is dropped because its text may
 * contain the host, the user or the statement. A faulty statement is our bug, so it becomes INTERNAL with the
 * SQLSTATE and the server's message as its cause.
 */
export function databaseError(thrown: unknown): CodedError {
  if (isCodedError(thrown)) return thrown;
  const { code, message } = detailsOf(thrown);
  if (code !== undefined && SQL_STATE.test(code) && !UNAVAILABLE.test(code)) {
    return new SluiceError('INTERNAL', {}, { cause: new Error(`SQLSTATE ${code}: ${message}`) });
  }
  const isOurBug = thrown instanceof TypeError || thrown instanceof RangeError;
  if (isOurBug || code === 'UnsupportedNativeDataType') {
    return new SluiceError('INTERNAL', {}, { cause: new Error(`${code ?? 'database client'}: ${message}`) });
  }
  if (code === DISK_FULL_STATE) return diskFull();
  return new SluiceError('HISTORY_UNAVAILABLE', { reason: code ?? 'connection lost' });
}

/** Prisma wraps the adapter's error, which wraps the driver's; the innermost code is the most specific. */
function detailsOf(thrown: unknown): { readonly code: string | undefined; readonly message: string } {
  const outer = fieldsOf(thrown);
  const inner = fieldsOf(fieldsOf(fieldsOf(outer.meta).driverAdapterError).cause ?? outer.cause);
  const codes = [inner.originalCode, inner.code, inner.kind, outer.code];
  const code = codes.find((each) => typeof each === 'string' && isErrorCode(each));
  const text = inner.originalMessage ?? inner.type ?? outer.message;
  const message = typeof text === 'string' ? text : '';
  return { code: typeof code === 'string' ? code : undefined, message };
}

const isErrorCode = (code: string) =>
  SQL_STATE.test(code) || SYSTEM_CODE.test(code) || /^[A-Za-z]{1,40}$/.test(code);

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
