import { DISK_FULL_STATE } from '../disk-full.ts';

const HEAD_BYTES = 5;
const ERROR_RESPONSE = 'E';
/** Fields of an error: the severity in English, and the SQLSTATE. */
const SEVERITY = 'V';
const SQL_STATE = 'C';
const ENDS_SESSION = ['FATAL', 'PANIC'];
const IO_ERROR_STATE = '58030';

/**
 * The SQLSTATE of an error after which the backend must be restarted; null if there is none in the reply. PostgreSQL would end
 * its process after a fatal error. In WebAssembly the session survives but never becomes ready again, and after a failed
 * write it fails every later statement.
 */
export function backendFailure(reply: Buffer): string | null {
  for (let at = 0; at + HEAD_BYTES <= reply.length; at += 1 + reply.readUInt32BE(at + 1)) {
    if (reply.toString('latin1', at, at + 1) !== ERROR_RESPONSE) continue;
    const fields = errorFields(reply.subarray(at + HEAD_BYTES, at + 1 + reply.readUInt32BE(at + 1)));
    const state = fields.get(SQL_STATE) ?? '';
    const isFatal = ENDS_SESSION.includes(fields.get(SEVERITY) ?? '');
    if (isFatal || state === DISK_FULL_STATE || state === IO_ERROR_STATE) return state;
  }
  return null;
}

/** Each field is a letter and a text that ends with a zero byte. */
function errorFields(body: Buffer): ReadonlyMap<string, string> {
  const texts = body.toString('utf8').split('\0');
  return new Map(texts.map((text) => [text.slice(0, 1), text.slice(1)]));
}
