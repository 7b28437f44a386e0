import type { Address } from '@solana/kit';
import { distinct, type ReadAccount, type ReadAccounts } from '../builders/read-accounts.ts';
import type { Moment } from '../domain/moment.ts';
import type { Session } from './records.ts';

/** The accounts that a build reads. */
export interface BuildReads {
  /** Accounts named by the request. */
  readonly named: readonly Address[];
  /** Accounts that will probably be needed. A wrong guess costs time but does not change the result. */
  readonly expected: readonly Address[];
  /** Further accounts required by the content of the named ones. Throws when the action cannot be built. */
  readonly needed: (read: ReadAccounts) => readonly Address[];
}

/** The accounts of a build, and when they were read. */
export interface BuildReading {
  readonly read: ReadAccounts;
  /** The earliest slot among them. */
  readonly slot: bigint;
  readonly moment: Moment;
}

/** Average account size, for paging: builds mix small accounts, reserves and a vault of 62 KB. */
const EXPECTED_BYTES = 16_000;

/**
 * Reads the accounts of a build from the RPC, never from the View: named and expected accounts in one batch, and a
 * second batch only for needed accounts that were not expected.
 */
export async function readForBuild(session: Session, reads: BuildReads): Promise<BuildReading> {
  const known = new Map<Address, ReadAccount | null>();
  const slots: bigint[] = [];
  const round = async (addresses: readonly Address[]) => {
    const accounts = await Promise.all(addresses.map((address) => session.account(address, EXPECTED_BYTES)));
    accounts.forEach((account, i) => {
      known.set(addresses[i] as Address, account);
      if (account !== null) slots.push(account.slot);
    });
  };
  const read: ReadAccounts = (address) => known.get(address) ?? null;
  await round(distinct([...reads.named, ...reads.expected]));
  const missing = reads.needed(read).filter((address) => !known.has(address));
  if (missing.length > 0) await round(missing);
  // An action runs at the slot and time of the accounts that it reads: the View may be some seconds older.
  const moment = session.newestMoment;
  return { read, slot: slots.reduce((a, b) => (a < b ? a : b), moment.slot), moment };
}
