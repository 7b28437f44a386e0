import type { Address } from '@solana/kit';
import type { Kind, LiveKind, LiveValues } from '../../chain/view/kinds.ts';
import type { Held } from '../../chain/view/view.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { type CodedError, isCodedError } from '../../errors/sluice-error.ts';
import type { Session } from './session.ts';

/** An account with its decoded form, as the services return it. */
export type { Held } from '../../chain/view/view.ts';
export type RecordOf<K extends LiveKind> = Held<LiveValues[K]>;
export type VaultRecord = RecordOf<'vault'>;
export type ReserveRecord = RecordOf<'reserve'>;
export type MarketRecord = RecordOf<'market'>;
export type FarmRecord = RecordOf<'farm'>;
export type MintRecord = RecordOf<'mint'>;
export type TableRecord = RecordOf<'table'>;
export type ObligationRecord = RecordOf<'obligation'>;

/** The raw account data. */
export function accountBase64({ data }: Held<unknown>): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

const NOT_FOUND_CODES: readonly ErrorCode[] = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_WRONG_OWNER',
  'ACCOUNT_WRONG_DISCRIMINATOR',
];

const UNREADABLE_CODES: readonly ErrorCode[] = [...NOT_FOUND_CODES, 'ACCOUNT_TOO_SHORT', 'ACCOUNT_MALFORMED'];

/** Errors of accounts that lists leave out because they are missing or cannot be decoded, by address. */
export type UnreadableAccounts = ReadonlyMap<Address, CodedError>;

/** Accounts of a kind that lists of the View leave out: all of them, or those among the addresses that a filter names. */
export function unreadableInView(
  view: Session['view'],
  kind: Kind,
  addresses?: readonly Address[] | null,
): UnreadableAccounts {
  const all = view.unreadable(kind);
  if (!addresses || all.size === 0) return all;
  return new Map([...all].filter(([address]) => addresses.includes(address)));
}

/** Whether the account itself is at fault. A failed RPC call says nothing about it. */
function isUnreadable(error: Error): error is CodedError {
  return isCodedError(error) && UNREADABLE_CODES.includes(error.code);
}

/** The accounts that can be read, in order, and the others. Throws when the RPC fails. */
export async function readableRecords<K extends LiveKind>(
  session: Session,
  kind: K,
  addresses: readonly Address[],
): Promise<{ readonly records: RecordOf<K>[]; readonly unreadable: UnreadableAccounts }> {
  const records: RecordOf<K>[] = [];
  const unreadable = new Map<Address, CodedError>();
  for (const [i, record] of (await loadRecords(session, kind, addresses)).entries()) {
    const address = addresses[i];
    if (!(record instanceof Error)) records.push(record);
    else if (address !== undefined && isUnreadable(record)) unreadable.set(address, record);
    else throw record;
  }
  return { records, unreadable };
}

/** An account by address; null when it does not exist or is of another kind. */
export async function findRecord<K extends LiveKind>(
  session: Session,
  kind: K,
  address: Address,
): Promise<RecordOf<K> | null> {
  try {
    return await session.load(kind, address);
  } catch (error) {
    if (isCodedError(error) && NOT_FOUND_CODES.includes(error.code)) return null;
    throw error;
  }
}

/** Accounts of one kind, in order; an error for one that could not be read. Accounts outside the View are one batch. */
export function loadRecords<K extends LiveKind>(
  session: Session,
  kind: K,
  addresses: readonly Address[],
): Promise<(RecordOf<K> | Error)[]> {
  return Promise.all(
    addresses.map((address) =>
      session.load(kind, address).catch((error: unknown) => {
        if (error instanceof Error) return error;
        throw error;
      }),
    ),
  );
}
