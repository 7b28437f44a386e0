import type { Address } from '@solana/kit';
import type { LiveKind, LiveValues } from '../chain/kinds.ts';
import type { ChainSession } from '../chain/session.ts';
import type { Held } from '../chain/view.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { isSluiceError } from '../errors/sluice-error.ts';

export type { ChainReport } from '../chain/session.ts';
/** An account with its decoded form, as the services return it. */
export type { Held } from '../chain/view.ts';
/** The chain as one request sees it. */
export type Session = ChainSession;
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

/** An account by address; null when it does not exist or is of another kind. */
export async function findRecord<K extends LiveKind>(
  session: Session,
  kind: K,
  address: Address,
): Promise<RecordOf<K> | null> {
  try {
    return await session.load(kind, address);
  } catch (error) {
    if (isSluiceError(error) && NOT_FOUND_CODES.includes(error.code)) return null;
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
