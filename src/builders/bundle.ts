import { AccountRole, type Address, isSignerRole } from '@solana/kit';
import type { BuiltInstruction } from './built-instruction.ts';
import type { UsableTable } from './lookup-tables.ts';

export type RoleName = 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';

const ROLE_NAMES: Readonly<Record<AccountRole, RoleName>> = {
  [AccountRole.READONLY]: 'READONLY',
  [AccountRole.WRITABLE]: 'WRITABLE',
  [AccountRole.READONLY_SIGNER]: 'READONLY_SIGNER',
  [AccountRole.WRITABLE_SIGNER]: 'WRITABLE_SIGNER',
};

/** One account of an instruction. `signer` is there only beside a signer's role. */
export interface BundleAccount {
  readonly address: Address;
  readonly role: RoleName;
  readonly signer?: { readonly address: Address };
}

export interface BundleInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly BundleAccount[];
  /** Base64. */
  readonly data: string;
}

/** The body that the instruction builders answer. */
export interface InstructionBundle {
  readonly instructions: readonly BundleInstruction[];
  /** Whole content of each usable table, in order: indexes count from its start. */
  readonly lutsByAddress: Readonly<Record<Address, readonly Address[]>>;
}

/** Instructions and tables in the shape of the REST contract, value for value. */
export function instructionBundle(
  instructions: readonly BuiltInstruction[],
  tables: readonly UsableTable[],
): InstructionBundle {
  return {
    instructions: instructions.map(({ programAddress, accounts, data }) => ({
      programAddress,
      accounts: accounts.map(({ address, role }) => ({
        address,
        role: ROLE_NAMES[role],
        ...(isSignerRole(role) ? { signer: { address } } : {}),
      })),
      data: Buffer.from(data).toString('base64'),
    })),
    lutsByAddress: Object.fromEntries(tables.map(({ address, addresses }) => [address, [...addresses]])),
  };
}
