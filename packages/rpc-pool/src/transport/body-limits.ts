import type { RpcRequest } from './rpc-request.ts';

const KB = 1_024;
const MB = 1_024 * KB;

/** The largest answer of all, to a scan of a whole program. Smaller than the longest string. */
export const MAX_BODY_BYTES = 256 * MB;
/** Bodies of all calls in flight: the largest one beside a page of accounts. */
export const BODIES_IN_FLIGHT_BYTES = 288 * MB;

/** Pages are planned for 2 MB of accounts, and one account has 10 MB at most. */
const ACCOUNTS_BYTES = 32 * MB;
/** Address, owner and numbers of one account. */
const ACCOUNT_ENVELOPE_BYTES = KB;
const SMALL_BYTES = MB;

/** By method; other methods return a number, a hash or a short list. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['getAccountInfo', ACCOUNTS_BYTES],
  ['getTokenAccountsByOwner', ACCOUNTS_BYTES],
  ['simulateTransaction', ACCOUNTS_BYTES],
  ['getBlock', ACCOUNTS_BYTES],
  ['getTransaction', 8 * MB],
  ['getSignaturesForAddress', 8 * MB],
]);

/** Maximum size of a legitimate answer to a request, in bytes. */
export function maxBodyBytes({ method, params }: RpcRequest): number {
  if (method === 'getMultipleAccounts') return maxPageBytes(params);
  if (method === 'getProgramAccounts') return isNarrow(params[1]) ? ACCOUNTS_BYTES : MAX_BODY_BYTES;
  return LIMITS.get(method) ?? SMALL_BYTES;
}

function maxPageBytes([addresses, config]: readonly unknown[]): number {
  const count = Array.isArray(addresses) ? addresses.length : 1;
  const slice = sliceOf(config);
  if (slice === null) return ACCOUNTS_BYTES;
  return Math.min(ACCOUNTS_BYTES, SMALL_BYTES + count * (ACCOUNT_ENVELOPE_BYTES + slice * 2));
}

/** Whether a scan asks for no data, or for the accounts of one owner. */
function isNarrow(config: unknown): boolean {
  if (typeof config !== 'object' || config === null) return false;
  const filters = 'filters' in config && Array.isArray(config.filters) ? config.filters.length : 0;
  return sliceOf(config) === 0 || (filters > 1 && sliceOf(config) === null);
}

function sliceOf(config: unknown): number | null {
  if (typeof config !== 'object' || config === null || !('dataSlice' in config)) return null;
  const { dataSlice } = config;
  const isSlice = typeof dataSlice === 'object' && dataSlice !== null && 'length' in dataSlice;
  return isSlice ? Number(dataSlice.length) : null;
}
