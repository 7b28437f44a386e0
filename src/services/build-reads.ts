import type { Address } from '@solana/kit';
import { distinct, type ReadAccount, type ReadAccounts } from '../builders/read-accounts.ts';
import type { Moment } from '../domain/moment.ts';
import type { Session } from './records.ts';

/** What a build has to read. */
export interface BuildReads {
  /** What the request itself names. */
  readonly named: readonly Address[];
  /** What will probably turn out to be needed. A wrong guess costs time, and changes nothing of what is built. */
  readonly expected: readonly Address[];
  /** What is needed besides, from what the named accounts say. Throws when nothing can be built. */
  readonly needed: (read: ReadAccounts) => readonly Address[];
}

/** Accounts that have been read for a build, and when. */
export interface BuildReading {
  readonly read: ReadAccounts;
  /** The earliest slot of them. */
  readonly slot: bigint;
  readonly moment: Moment;
}

/** Builds mix small accounts, reserves and a vault of 62 KB; a page of two megabytes holds any of them. */
const EXPECTED_BYTES = 16_000;

/**
 * Reads what a build acts on from the RPC, never from memory: in one batch what is named and what is expected, and in a
 * second one only what that has shown to be needed and nobody expected.
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
  const { moment } = session.view;
  const newest = slots.reduce((a, b) => (a > b ? a : b), moment.slot);
  return {
    read,
    slot: slots.reduce((a, b) => (a < b ? a : b), newest),
    moment: { ...moment, slot: newest },
  };
}
