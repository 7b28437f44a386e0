import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';

/**
 * Classes of SQLSTATE that say "not now" or "not here" instead of "not like this": connection, transaction conflict,
 * resources, operator, system, login, a database that is missing, a lock, a standby that takes no writes.
 */
const UNAVAILABLE = /^(08|40|53|57|58|28)|^(3D000|55P03|25006)$/;
/** Five letters and digits, but neither a code of the system (EPIPE) nor one of Prisma (P2028). */
const SQL_STATE = /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/;
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{2,60}$/;

/**
 * The coded error for whatever the driver or Prisma threw. The original stays out of it: its words may hold the
 * host, the user or the statement. What is wrong with a statement itself is a fault of ours, so it is INTERNAL, and
 * its cause carries the state and the server's sentence.
 */
export function databaseError(thrown: unknown): SluiceError {
  if (isSluiceError(thrown)) return thrown;
  const { code, says } = factsOf(thrown);
  if (code !== undefined && SQL_STATE.test(code) && !UNAVAILABLE.test(code)) {
    return new SluiceError('INTERNAL', {}, { cause: new Error(`SQLSTATE ${code}: ${says}`) });
  }
  const isOurs = thrown instanceof TypeError || thrown instanceof RangeError;
  if (isOurs || code === 'UnsupportedNativeDataType') {
    return new SluiceError('INTERNAL', {}, { cause: new Error(`${code ?? 'database client'}: ${says}`) });
  }
  return new SluiceError('HISTORY_UNAVAILABLE', { reason: code ?? 'connection lost' });
}

/** Prisma wraps the adapter's error, which wraps the driver's; the innermost code says most. */
function factsOf(thrown: unknown): { readonly code: string | undefined; readonly says: string } {
  const outer = fieldsOf(thrown);
  const inner = fieldsOf(fieldsOf(fieldsOf(outer.meta).driverAdapterError).cause ?? outer.cause);
  const codes = [inner.originalCode, inner.code, inner.kind, outer.code];
  const code = codes.find((each) => typeof each === 'string' && isPlain(each));
  const says = inner.originalMessage ?? inner.type ?? outer.message;
  return { code: typeof code === 'string' ? code : undefined, says: typeof says === 'string' ? says : '' };
}

const isPlain = (code: string) =>
  SQL_STATE.test(code) || SYSTEM_CODE.test(code) || /^[A-Za-z]{1,40}$/.test(code);

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
