import type { Address } from '@solana/kit';
import type { FirstReads } from '../../builders/action.ts';
import { distinct, type ReadAccount, type ReadAccounts } from '../../builders/read-accounts.ts';
import type { Moment } from '../../domain/moment.ts';
import type { Session } from '../request/session.ts';
import { displayText } from '../tokens/display-text.ts';
import { tokenSymbol } from '../tokens/tokens.ts';

/** The accounts of a build, and when they were read. */
export interface BuildReading {
  readonly read: ReadAccounts;
  readonly isRead: (address: Address) => boolean;
  /** The earliest slot among them. */
  readonly slot: bigint;
  readonly moment: Moment;
}

/** A build, or the accounts that it still needs, of which at least one is unread. */
export type BuildAttempt<T> = { readonly built: T } | { readonly needs: readonly Address[] };

/** Average account size, for paging: builds mix small accounts, reserves and a vault of 62 KB. */
const EXPECTED_BYTES = 16_000;

/**
 * Reads the accounts of a build from the RPC, never from the View: named and expected accounts in one batch, and a
 * second batch for needed accounts that were not expected. A plan reads a third batch when a step refers to accounts that
 * only the effect of an earlier step in the second batch reveals.
 */
export async function readForBuild<T>(
  session: Session,
  { named, expected }: FirstReads,
  attempt: (reading: BuildReading) => BuildAttempt<T>,
): Promise<T> {
  const known = new Map<Address, ReadAccount | null>();
  const slots: bigint[] = [];
  const symbolOf = (mint: Address) => displayText(tokenSymbol(session.view, mint));
  const round = async (addresses: readonly Address[]) => {
    const accounts = await Promise.all(addresses.map((address) => session.account(address, EXPECTED_BYTES)));
    accounts.forEach((account, i) => {
      known.set(addresses[i] as Address, account);
      if (account !== null) slots.push(account.slot);
    });
    // Builds that shared a read would otherwise all run in the turn in which it arrived.
    await session.work.giveWay();
  };
  await round(distinct([...named, ...expected]));
  for (;;) {
    // An action runs at the slot and time of the accounts that it reads: the View may be some seconds older.
    const moment = session.newestMoment;
    const outcome = attempt({
      read: Object.assign((address: Address) => known.get(address) ?? null, { symbolOf }),
      isRead: (address) => known.has(address),
      slot: slots.reduce((a, b) => (a < b ? a : b), moment.slot),
      moment,
    });
    if ('built' in outcome) return outcome.built;
    await round(distinct(outcome.needs));
  }
}
