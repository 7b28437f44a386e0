import type { Address } from '@solana/kit';
import { isCodedError } from '../errors/sluice-error.ts';
import { findRecord, type ObligationRecord } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';

/** An obligation that was read; null for one that does not exist. */
export type ObligationRead =
  | { readonly isRead: true; readonly record: ObligationRecord | null }
  | { readonly isRead: false };

/** Reads obligations in as few calls as possible. A failed read says nothing about its obligation. */
export async function readObligations(
  session: Session,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, ObligationRead>> {
  const reads = await Promise.all(
    addresses.map(async (address): Promise<[Address, ObligationRead]> => {
      try {
        return [address, { isRead: true, record: await findRecord(session, 'obligation', address) }];
      } catch (error) {
        if (!isCodedError(error)) throw error;
        return [address, { isRead: false }];
      }
    }),
  );
  return new Map(reads);
}
