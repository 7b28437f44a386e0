import { type AccountMeta, AccountRole, type Address, isSignerRole } from '@solana/kit';
import type { BuiltInstruction } from '../built-instruction.ts';
import type { UsableTable } from './lookup-tables.ts';

export type RoleName = 'READONLY' | 'WRITABLE' | 'READONLY_SIGNER' | 'WRITABLE_SIGNER';

const ROLE_NAMES: Readonly<Record<AccountRole, RoleName>> = {
  [AccountRole.READONLY]: 'READONLY',
  [AccountRole.WRITABLE]: 'WRITABLE',
  [AccountRole.READONLY_SIGNER]: 'READONLY_SIGNER',
  [AccountRole.WRITABLE_SIGNER]: 'WRITABLE_SIGNER',
};

/** One account of an instruction. `signer` is present only with a signer role. */
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

/** The response body of the REST instruction builders. */
export interface InstructionBundle {
  readonly instructions: readonly BundleInstruction[];
  /** Full content of each usable table, in order. */
  readonly lutsByAddress: Readonly<Record<Address, readonly Address[]>>;
}

/** Converts instructions and tables to the REST contract. */
export function instructionBundle(
  instructions: readonly BuiltInstruction[],
  tables: readonly UsableTable[],
): InstructionBundle {
  return { instructions: instructions.map(bundleInstruction), lutsByAddress: lutsByAddress(tables) };
}

export function bundleInstruction({ programAddress, accounts, data }: BuiltInstruction): BundleInstruction {
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { programAddress, accounts: accounts.map(bundleAccount), data: base64 };
}

function bundleAccount({ address, role }: AccountMeta): BundleAccount {
  const name = ROLE_NAMES[role];
  return isSignerRole(role) ? { address, role: name, signer: { address } } : { address, role: name };
}

export function lutsByAddress(tables: readonly UsableTable[]): InstructionBundle['lutsByAddress'] {
  return Object.fromEntries(tables.map(({ address, addresses }) => [address, addresses]));
}
