import { describedInstructions, readInstruction } from '@sluice/protocol/described-instructions';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';

/** An account as a message refers to it. */
export interface MessageAccount {
  /** Null when its lookup table cannot be read. */
  readonly address: Address | null;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  /** The lookup table that has it; null for an account of the message itself. */
  readonly lookupTable: Address | null;
}

export interface MessageInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly MessageAccount[];
  readonly data: Uint8Array;
}

/** An account and its role in an instruction. */
export interface NamedAccount extends MessageAccount {
  /** The name that the program has for it; null when unknown. */
  readonly role: string | null;
  /** Whether the address of the program stands for an optional account that is not given. */
  readonly isAbsent: boolean;
}

/** An instruction with what its layout says. */
export interface NamedInstruction {
  readonly programAddress: Address;
  readonly data: Uint8Array;
  /** Null when the program or the instruction is unknown, or its data is too short. */
  readonly name: string | null;
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly accounts: readonly NamedAccount[];
  /** The address of an account by its role; null when there is none. */
  role(name: string): Address | null;
}

/** Labels the instructions of a transaction by their layouts. */
export function namedInstructions(
  ids: ProgramIds,
  instructions: readonly MessageInstruction[],
): NamedInstruction[] {
  const known = describedInstructions(ids);
  return instructions.map(({ programAddress, accounts, data }) => {
    const read = readInstruction(known, { programAddress, data });
    const isWhole = read !== null && read.args !== null && accounts.length >= read.layout.accountNames.length;
    const names = isWhole ? read.layout.accountNames : [];
    const named = accounts.map((account, i): NamedAccount => {
      const role = names[i];
      const isOptional = role !== undefined && (read?.layout.accounts[role]?.endsWith('?') ?? false);
      const rest = isWhole ? 'remaining' : null;
      return { ...account, role: role ?? rest, isAbsent: isOptional && account.address === programAddress };
    });
    return {
      programAddress,
      data,
      name: isWhole ? read.layout.name : null,
      args: isWhole ? read.args : null,
      accounts: named,
      role: (name) => named.find(({ role, isAbsent }) => role === name && !isAbsent)?.address ?? null,
    };
  });
}
