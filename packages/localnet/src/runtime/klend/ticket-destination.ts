import { supportsMint, supportsTokenAccount } from '@sluice/protocol/klend/supported-extensions';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { startsFrozen } from '@sluice/protocol/token/extensions';
import type { Mint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '../instruction-account.ts';

/** Liquidity of a ticket and the wallet that waits for it. */
interface TicketLiquidity {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** `absent` is the owner's associated account, which can be opened; `unusable` one that cannot be paid. */
export type DestinationState = 'usable' | 'absent' | 'unusable';

/** Whether a ticket can still be paid to the account that its owner named. Mint and account may have changed since. */
export function destinationState(
  account: InstructionAccount,
  mint: Mint,
  liquidity: TicketLiquidity,
): DestinationState {
  const isOpen = account.owner === liquidity.tokenProgram;
  if (!isOpen && account.owner !== SYSTEM_PROGRAM) return 'unusable';
  if (!supportsMint(mint)) return 'unusable';
  if (account.data.length === 0) {
    const canBeOpened = hasAssociatedAddress(account, liquidity) && !startsFrozen(mint);
    return canBeOpened ? 'absent' : 'unusable';
  }
  const destination = isOpen ? decoded(account) : null;
  if (destination === null || !belongs(destination, liquidity)) return 'unusable';
  if (destination.delegate !== null || destination.frozen) return 'unusable';
  return supportsTokenAccount(destination) ? 'usable' : 'unusable';
}

export function hasAssociatedAddress(
  account: Pick<InstructionAccount, 'address'>,
  { owner, mint, tokenProgram }: TicketLiquidity,
): boolean {
  return account.address === associatedTokenAddress(owner, tokenProgram, mint).address;
}

const belongs = (account: TokenAccount, { owner, mint }: TicketLiquidity) =>
  account.owner === owner && account.mint === mint;

/** Null when the account holds something else. */
function decoded({ owner, data }: InstructionAccount): TokenAccount | null {
  try {
    return decodeTokenAccount({ owner, data });
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}
