import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { type Address, isSignerRole } from '@solana/kit';
import type { UsableTable } from './lookup-tables.ts';

/** An address takes 32 bytes in a message, a reference to a table entry one. */
const BYTES_SAVED_PER_ENTRY = 31;
/** Cost of using a table: its address, and the lengths of two lists of indexes. */
export const BYTES_PER_TABLE = 34;

/** A table used by a transaction. */
export interface ChosenTable {
  readonly address: Address;
  /** The usable prefix of its content. */
  readonly addresses: readonly Address[];
  readonly entriesUsed: number;
  readonly bytesSaved: number;
}

/** The addresses that a table may provide: not signers, not the fee payer, not invoked programs. */
function referable(instructions: readonly EncodedInstruction[], feePayer: Address): Set<Address> {
  const found = new Set<Address>();
  const excluded = new Set<Address>([feePayer]);
  for (const { programAddress, accounts } of instructions) {
    excluded.add(programAddress);
    for (const { address, role } of accounts) (isSignerRole(role) ? excluded : found).add(address);
  }
  for (const address of excluded) found.delete(address);
  return found;
}

const saving = (entries: number) => entries * BYTES_SAVED_PER_ENTRY - BYTES_PER_TABLE;

/**
 * Chooses tables greedily: the one that saves the most bytes first, until no table saves any. Ties keep the given order.
 * An address in several tables is taken from the first chosen one.
 */
export function chooseTables(
  instructions: readonly EncodedInstruction[],
  feePayer: Address,
  tables: readonly UsableTable[],
): ChosenTable[] {
  const wanted = referable(instructions, feePayer);
  const candidates = tables.map(({ address, addresses, usable }) => {
    const content = addresses.slice(0, usable);
    return { address, content, entries: new Set(content.filter((each) => wanted.has(each))) };
  });
  const chosen: ChosenTable[] = [];
  for (;;) {
    const best = candidates.reduce<(typeof candidates)[number] | null>(
      (found, each) => (found === null || each.entries.size > found.entries.size ? each : found),
      null,
    );
    if (best === null || saving(best.entries.size) <= 0) break;
    const { address, content, entries } = best;
    const used = new Set(entries);
    chosen.push({
      address,
      addresses: content,
      entriesUsed: used.size,
      bytesSaved: saving(used.size),
    });
    for (const each of candidates) for (const entry of used) each.entries.delete(entry);
  }
  return chosen;
}
