import { supportsMint, supportsTokenAccount } from '@sluice/protocol/klend/supported-extensions';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { startsFrozen } from '@sluice/protocol/token/extensions';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { type ReadAccount, type ReadAccounts, readTokenAccount } from '../read-accounts.ts';

/** The account to which a ticket is paid. `ABSENT` is one that the program opens; `UNPAYABLE` one that it cannot pay. */
export type DestinationState = 'OPEN' | 'ABSENT' | 'UNPAYABLE';

/** What a destination must be. */
export interface DestinationTerms {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The owner's associated account, the only one that the program opens. */
  readonly associated: Address;
  /** Null for a token without extensions. */
  readonly extended: Mint | null;
}

/** The mint of Token-2022 liquidity; null when it was not read, or has no extensions that matter. */
export function extendedMint(read: ReadAccounts, mint: Address): Mint | null {
  const account = read(mint);
  if (account === null) return null;
  try {
    return decodeMint(account);
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

/** Whether the program can pay a ticket to the account that its owner named. Mint and account may have changed since. */
export function destinationState(
  address: Address,
  account: ReadAccount | null,
  { owner, mint, tokenProgram, associated, extended }: DestinationTerms,
): DestinationState {
  const program = account?.owner ?? SYSTEM_PROGRAM;
  if (program !== tokenProgram && program !== SYSTEM_PROGRAM) return 'UNPAYABLE';
  if (extended !== null && !supportsMint(extended)) return 'UNPAYABLE';
  if (account === null || account.data.length === 0) {
    const isFrozen = extended !== null && startsFrozen(extended);
    return address === associated && !isFrozen ? 'ABSENT' : 'UNPAYABLE';
  }
  const token = program === tokenProgram ? readTokenAccount(account) : null;
  if (token === null || token.owner !== owner || token.mint !== mint) return 'UNPAYABLE';
  return accountFlaw(token) === null && supportsTokenAccount(token) ? 'OPEN' : 'UNPAYABLE';
}

/** Why the program accepts a token account neither as destination of a ticket nor of returned collateral tokens. */
export type AccountFlaw = 'DELEGATE' | 'FROZEN';

/** Null for none. */
export function accountFlaw({ delegate, frozen }: TokenAccount): AccountFlaw | null {
  if (delegate !== null) return 'DELEGATE';
  return frozen ? 'FROZEN' : null;
}
