import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { transfer } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';

/** A side of a swap by plain transfers. */
export interface Leg {
  readonly mint: Address;
  /** Base units. */
  readonly amount: bigint;
}

const accountOf = (owner: Address, mint: Address) =>
  associatedTokenAddress(owner, TOKEN_PROGRAM, mint).address;

const move = (from: Address, to: Address, { mint, amount }: Leg): EncodedInstruction =>
  transfer.encode(
    TOKEN_PROGRAM,
    { source: accountOf(from, mint), destination: accountOf(to, mint), owner: from },
    { amount },
  );

/** The wallet pays the maker, who pays the wallet and co-signs. */
export function swapWith(maker: Address, wallet: Address, paid: Leg, received: Leg): EncodedInstruction[] {
  return [move(wallet, maker, paid), move(maker, wallet, received)];
}

const ROLES = ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'] as const;

/** Instructions as both APIs take them. */
export function given(instructions: readonly EncodedInstruction[]) {
  return instructions.map(({ programAddress, accounts, data }) => ({
    programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, role: ROLES[role] ?? 'READONLY' })),
    data: Buffer.from(data).toString('base64'),
  }));
}
