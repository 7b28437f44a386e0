import { AccountRole, type Address } from '@solana/kit';
import { type SwapLeg, swapRefused } from '../../builders/leverage/swap-leg.ts';
import type { RoleName } from '../../builders/transaction/bundle.ts';

/** A swap as both APIs take it: instructions in the form in which builders return them. */
export interface GivenSwap {
  readonly instructions: readonly GivenInstruction[];
  readonly lookupTables?: readonly Address[] | null | undefined;
  readonly inAmount?: bigint | null | undefined;
  readonly minOut: bigint;
  readonly signers?: readonly Address[] | null | undefined;
}

interface GivenInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly { readonly address: Address; readonly role: RoleName }[];
  /** Base64. */
  readonly data: string;
}

const ROLES = {
  READONLY: AccountRole.READONLY,
  WRITABLE: AccountRole.WRITABLE,
  READONLY_SIGNER: AccountRole.READONLY_SIGNER,
  WRITABLE_SIGNER: AccountRole.WRITABLE_SIGNER,
} as const satisfies Record<RoleName, AccountRole>;

/** Decodes the swap. @throws SluiceError SWAP_REFUSED when the data of an instruction is not base64 */
export function swapOf({ instructions, lookupTables, inAmount, minOut, signers }: GivenSwap): SwapLeg {
  return {
    instructions: instructions.map(({ programAddress, accounts, data }, index) => ({
      programAddress,
      accounts: accounts.map(({ address, role }) => ({ address, role: ROLES[role] })),
      data: bytesOf(data, index),
    })),
    lookupTables: lookupTables ?? [],
    inAmount: inAmount ?? null,
    minOut,
    signers: signers ?? [],
    quote: null,
  };
}

function bytesOf(data: string, index: number): Uint8Array {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw swapRefused('its data is not base64 with padding', index);
  return Uint8Array.from(bytes);
}
