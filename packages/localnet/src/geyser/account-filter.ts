import type { AccountsFilter, DataSlice, FilterAccounts } from '@sluice/geyser';
import { base58ToBytes } from '@sluice/protocol/layout/base58-text';
import { base64Bytes } from '../rpc/params.ts';
import { addressSet, invalidFilter } from './filter-values.ts';
import type { AccountWrite } from './slot-record.ts';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
const TOKEN_ACCOUNT_BYTES = 165;
/** Where a token account says whether it is initialized, and, with extensions, that it is an account. */
const STATE_OFFSET = 108;
const ACCOUNT_TYPE = 2;
const MULTISIG_BYTES = 355;

export type AccountTest = (write: AccountWrite) => boolean;

/** The test of one named filter. Throws INVALID_ARGUMENT. */
export function accountTest({ account, owner, filters, nonemptyTxnSignature }: FilterAccounts): AccountTest {
  const addresses = addressSet(account);
  const owners = addressSet(owner);
  if (filters.length > MAX_FILTERS)
    throw invalidFilter(`Max amount of filters reached, only ${MAX_FILTERS} allowed`);
  if (filters.filter(({ datasize }) => datasize !== null).length > 1)
    throw invalidFilter('datasize used twice');
  const tests = filters.map(dataTest);
  return (write) => {
    if (addresses.size > 0 && !addresses.has(write.address)) return false;
    if (owners.size > 0 && !owners.has(write.account.owner)) return false;
    if (nonemptyTxnSignature !== null && nonemptyTxnSignature !== (write.signature !== null)) return false;
    return tests.every((test) => test(write));
  };
}

function dataTest({ memcmp, datasize, tokenAccountState, lamports }: AccountsFilter): AccountTest {
  if (memcmp !== null) return memcmpTest(memcmp);
  if (datasize !== null) return ({ account }) => BigInt(account.data.length) === datasize;
  if (tokenAccountState !== null) {
    if (!tokenAccountState) throw invalidFilter('token_account_state only allowed to be true');
    return ({ account }) => isTokenAccount(account.data);
  }
  if (lamports === null) throw invalidFilter('filter should be defined');
  const { eq, ne, lt, gt } = lamports;
  if (eq !== null) return ({ account }) => account.lamports === eq;
  if (ne !== null) return ({ account }) => account.lamports !== ne;
  if (lt !== null) return ({ account }) => account.lamports < lt;
  if (gt !== null) return ({ account }) => account.lamports > gt;
  throw invalidFilter('cmp for lamports should be defined');
}

function memcmpTest({ offset, bytes, base58, base64 }: NonNullable<AccountsFilter['memcmp']>): AccountTest {
  const expected = bytes ?? (base58 === null ? base64 && base64Bytes(base64) : base58ToBytes(base58));
  if (expected === null) throw invalidFilter('invalid memcmp data');
  if (expected.length > MAX_MEMCMP_BYTES) throw invalidFilter('data too large for memcmp');
  const pattern = Buffer.from(expected);
  const start = Number(offset);
  return ({ account }) => {
    const { data } = account;
    return (
      start + pattern.length <= data.length && pattern.equals(data.subarray(start, start + pattern.length))
    );
  };
}

function isTokenAccount(data: Uint8Array): boolean {
  const isInitialized = (data[STATE_OFFSET] ?? 0) !== 0;
  if (data.length === TOKEN_ACCOUNT_BYTES) return isInitialized;
  const isExtended = data.length > TOKEN_ACCOUNT_BYTES && data.length !== MULTISIG_BYTES;
  return isExtended && data[TOKEN_ACCOUNT_BYTES] === ACCOUNT_TYPE && isInitialized;
}

/** Cuts the data of all accounts of a subscription. Throws INVALID_ARGUMENT. */
export function dataCut(slices: readonly DataSlice[]): (data: Uint8Array) => Uint8Array {
  const spans = slices.map(({ offset, length }) => ({ start: Number(offset), end: Number(offset + length) }));
  spans.forEach(({ start }, index) => {
    const before = spans[index - 1];
    if (before !== undefined && start < before.end) {
      throw invalidFilter('data slices should be sorted and not overlap');
    }
  });
  if (spans.length === 0) return (data) => data;
  // A slice that the account does not have in full is left out.
  return (data) =>
    Buffer.concat(
      spans.filter(({ end }) => end <= data.length).map(({ start, end }) => data.subarray(start, end)),
    );
}
